// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.heddle.packing.fit.JobHistories;
import org.heddle.packing.fit.JobNames;
import org.heddle.packing.fit.JobRun;
import org.heddle.packing.fit.Measurement;
import org.heddle.packing.io.ProblemFile;
import org.heddle.packing.io.TextFile;
import org.heddle.packing.model.Alpha;
import org.heddle.packing.model.Job;
import org.heddle.packing.model.Problem;
import org.heddle.settings.command.CommandException;
import org.heddle.settings.past.HostUse;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code heddle pack fit}. */
@Command(
        name = "fit",
        description =
                "Fits run time models to job histories and event logs of Spark (files, directories or patterns, local"
                        + " or on HDFS) and to measured points, job by job, and writes them as a problem.")
final class FitCommand implements Callable<Integer> {
    private static final double MOST_SECONDS = 1e12;
    private static final double ASSUMED_ALPHA = 1.3;

    @Spec
    @SuppressWarnings("NullAway.Init") // injected
    private CommandSpec spec;

    @Option(
            names = "--points",
            paramLabel = "FILE",
            description = "Measured runs as lines of job,n,seconds; # starts a comment.")
    private @Nullable Path points;

    @Mixin
    @SuppressWarnings("NullAway.Init") // injected
    private Output output;

    @Option(names = "--machines", description = "Number of machines, P in the paper (the hosts of the histories).")
    private @Nullable Integer machines;

    @Option(
            names = "--disks",
            description = "Disks per machine, k in the paper (the most tasks that ran at once on one host).")
    private @Nullable Integer disks;

    @Option(
            names = "--ratio",
            description = "Primary VMs that one extra VM needs on its machine, r in the paper (2, at most --disks).")
    private @Nullable Integer ratio;

    @Option(
            names = "--alpha",
            description = "Penalty of overcommitment, alpha in the paper (" + ASSUMED_ALPHA + ", which is a guess).")
    private @Nullable Double alpha;

    @Option(
            names = "--name-pattern",
            paramLabel = "REGEX",
            description = "Runs count as the same job if this finds the same text in their names: its first group, or"
                    + " all of it. Default: without ids, dates and long numbers.")
    private @Nullable String namePattern;

    @Option(
            names = "--name-property",
            paramLabel = "KEY",
            description = "Runs count as the same job if this property of theirs is the same, for example"
                    + " mapreduce.workflow.name.")
    private @Nullable String nameProperty;

    @Mixin
    @SuppressWarnings("NullAway.Init") // injected
    private FitOptions fitting;

    @Parameters(paramLabel = "HISTORY", arity = "0..*", description = "Files, directories or patterns.")
    private List<String> histories = new ArrayList<>();

    @Override
    public Integer call() throws IOException {
        PrintWriter out = spec.commandLine().getOut();
        PrintWriter err = spec.commandLine().getErr();
        double penalty = alpha == null ? ASSUMED_ALPHA : alpha;
        Numbers.requireAlpha(penalty);
        Map<String, FitOptions.Evidence> jobs = new TreeMap<>();
        HostUse hosts = new HostUse();
        readHistories(jobs, hosts, err);
        readPoints(jobs);
        if (jobs.isEmpty()) {
            throw new CommandException(
                    histories.isEmpty() ? CommandException.WRONG : CommandException.FAILED,
                    "nothing to fit: give job histories with a successful run, or --points FILE");
        }
        Problem cluster = cluster(hosts, jobs.size(), penalty, out);
        List<Job> fitted = new ArrayList<>();
        List<String> unknown = new ArrayList<>(cluster.unknown());
        for (Map.Entry<String, FitOptions.Evidence> job : jobs.entrySet()) {
            FitOptions.Fitted one = fitting.fit(job.getKey(), job.getValue(), cluster.slots(), null, out);
            fitted.add(one.job());
            unknown.addAll(one.unknown());
        }
        if (output.isWanted()) {
            String text = ProblemFile.write(cluster.withJobs(fitted).withUnknown(unknown))
                    .toPrettyString();
            ProblemFile.parse("the fitted problem is not written", text);
            output.write(text);
        }
        out.flush();
        return 0;
    }

    /** A problem without jobs: the cluster that the options name, otherwise the one of the histories. */
    private Problem cluster(HostUse hosts, int jobs, double penalty, PrintWriter out) {
        int p = size("--machines", machines, hosts.hosts(), 10);
        int k = size("--disks", disks, hosts.most(0), 2);
        int r = ratio == null ? Math.min(2, k) : ratio;
        Numbers.requirePositive("--ratio", r);
        if (r > k) {
            throw new CommandException(CommandException.WRONG, "--ratio " + r + ": must be from 1 to --disks = " + k);
        }
        String tooLarge = ProblemFile.tooLarge(p, k, jobs);
        if (tooLarge != null) {
            throw new CommandException(CommandException.WRONG, "--machines " + p + " --disks " + k + ": " + tooLarge);
        }
        List<String> unknown = new ArrayList<>();
        if (machines == null || disks == null) {
            String source = "a guess";
            if (hosts.hosts() > 0) {
                source = "what the histories show: their hosts, and the most that ran at once on one";
            }
            unknown.add("the cluster of " + p + " machines for " + k + " tasks each is " + source
                    + "; --machines and --disks say it better");
        }
        if (alpha == null) {
            unknown.add("alpha = " + penalty + " is assumed, not measured; profile --pairs measures it");
        }
        if (ratio == null) {
            unknown.add("r = " + r + " is assumed; --ratio says it better");
        }
        unknown.forEach(out::println);
        return new Problem("fitted", p, k, r, new Alpha(penalty), List.of(), unknown);
    }

    private static int size(String option, @Nullable Integer given, long seen, int guess) {
        if (given != null) {
            Numbers.requirePositive(option, given);
            return given;
        }
        return seen > 0 ? (int) seen : guess;
    }

    private @Nullable Pattern pattern() {
        if (namePattern == null) {
            return null;
        }
        try {
            return Pattern.compile(namePattern);
        } catch (PatternSyntaxException e) {
            throw new CommandException(
                    CommandException.WRONG,
                    "--name-pattern " + namePattern + ": is no regular expression of Java: " + e.getDescription());
        }
    }

    private void readHistories(Map<String, FitOptions.Evidence> jobs, HostUse hosts, PrintWriter err) {
        JobHistories reader = JobHistories.ofTheCluster(new JobNames(pattern(), nameProperty));
        for (String where : histories) {
            List<JobRun> runs;
            try {
                runs = reader.read(where, hosts, problem -> err.println("heddle pack: " + problem + "; left out"));
            } catch (IOException e) {
                throw new CommandException(CommandException.WRONG, String.valueOf(e.getMessage()));
            }
            for (JobRun run : runs) {
                if (run.succeeded()) {
                    FitOptions.Evidence evidence = jobs.computeIfAbsent(run.job(), n -> new FitOptions.Evidence());
                    evidence.histories.add(run);
                    evidence.runs.add(new Measurement(run.vms(), run.seconds(), run.id()));
                } else {
                    err.println("heddle pack: " + run.source() + ": job " + run.job()
                            + " did not succeed, so it is left out");
                }
            }
        }
        err.flush();
    }

    private void readPoints(Map<String, FitOptions.Evidence> jobs) {
        if (points == null) {
            return;
        }
        List<String> lines = TextFile.read(points, System.in).lines().toList();
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i).strip();
            if (line.isEmpty() || line.startsWith("#") || line.equals("job,n,seconds")) {
                continue;
            }
            String[] parts = line.split(",", -1);
            boolean good = parts.length == 3
                    && !parts[0].isBlank()
                    && parts[1].strip().matches("[1-9][0-9]{0,6}")
                    && parts[2].strip().matches("[0-9]+([.][0-9]+)?([eE][+-]?[0-9]+)?")
                    && Double.parseDouble(parts[2].strip()) > 0
                    && Double.parseDouble(parts[2].strip()) <= MOST_SECONDS;
            if (!good) {
                throw new CommandException(
                        CommandException.WRONG,
                        points + ", line " + (i + 1)
                                + ": must be job,n,seconds with n from 1 to 9999999 and seconds > 0, at most 1e12, is "
                                + line);
            }
            jobs.computeIfAbsent(parts[0].strip(), n -> new FitOptions.Evidence())
                    .runs
                    .add(new Measurement(
                            Integer.parseInt(parts[1].strip()),
                            Double.parseDouble(parts[2].strip()),
                            points + " line " + (i + 1)));
        }
    }
}
