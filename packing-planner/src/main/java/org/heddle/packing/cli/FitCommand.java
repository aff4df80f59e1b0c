// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.cli;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import org.heddle.packing.fit.JobHistories;
import org.heddle.packing.fit.JobRun;
import org.heddle.packing.fit.Measurement;
import org.heddle.packing.io.ProblemFile;
import org.heddle.packing.io.TextFile;
import org.heddle.packing.model.Alpha;
import org.heddle.packing.model.Job;
import org.heddle.packing.model.Problem;
import org.heddle.settings.command.CommandException;
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
        description = "Fits run time models to job histories (.jhist files, directories or patterns, local or on HDFS)"
                + " and to measured points, job by job, and writes them as a problem.")
final class FitCommand implements Callable<Integer> {
    private static final double MOST_SECONDS = 1e12;

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

    @Option(
            names = "--machines",
            defaultValue = "10",
            description = "Number of machines, P in the paper. Default: ${DEFAULT-VALUE}.")
    private int machines;

    @Option(
            names = "--disks",
            defaultValue = "2",
            description = "Disks per machine, k in the paper. Default: ${DEFAULT-VALUE}.")
    private int disks;

    @Option(
            names = "--ratio",
            defaultValue = "2",
            description = "Primary VMs that one extra VM needs on its machine, r in the paper. Default:"
                    + " ${DEFAULT-VALUE}.")
    private int ratio;

    @Option(
            names = "--alpha",
            defaultValue = "1.3",
            description = "Penalty of overcommitment, alpha in the paper. Default: ${DEFAULT-VALUE}.")
    private double alpha;

    @Mixin
    @SuppressWarnings("NullAway.Init") // injected
    private FitOptions fitting;

    @Parameters(paramLabel = "HISTORY", arity = "0..*", description = "Files, directories or patterns.")
    private List<String> histories = new ArrayList<>();

    private void requireSize(int jobs) {
        String tooLarge = ProblemFile.tooLarge(machines, disks, jobs);
        if (tooLarge != null) {
            throw new CommandException(
                    CommandException.WRONG, "--machines " + machines + " --disks " + disks + ": " + tooLarge);
        }
    }

    @Override
    public Integer call() throws IOException {
        PrintWriter out = spec.commandLine().getOut();
        PrintWriter err = spec.commandLine().getErr();
        Numbers.requirePositive("--machines", machines);
        Numbers.requirePositive("--disks", disks);
        Numbers.requirePositive("--ratio", ratio);
        if (ratio > disks) {
            throw new CommandException(
                    CommandException.WRONG, "--ratio " + ratio + ": must be from 1 to --disks = " + disks);
        }
        Numbers.requireAlpha(alpha);
        requireSize(1);
        Map<String, FitOptions.Evidence> jobs = new TreeMap<>();
        readHistories(jobs, err);
        readPoints(jobs);
        if (jobs.isEmpty()) {
            throw new CommandException(
                    CommandException.WRONG,
                    "nothing to fit: give job histories with a successful run, or --points FILE");
        }
        requireSize(jobs.size());
        List<Job> fitted = new ArrayList<>();
        for (Map.Entry<String, FitOptions.Evidence> job : jobs.entrySet()) {
            fitted.add(fitting.fit(job.getKey(), job.getValue(), machines * disks, null, out));
        }
        if (output.isWanted()) {
            Problem problem = new Problem("fitted", machines, disks, ratio, new Alpha(alpha), fitted);
            String text = ProblemFile.write(problem).toPrettyString();
            ProblemFile.parse("the fitted problem is not written", text);
            output.write(text);
        }
        out.flush();
        return 0;
    }

    private void readHistories(Map<String, FitOptions.Evidence> jobs, PrintWriter err) {
        JobHistories reader = JobHistories.ofTheCluster();
        for (String where : histories) {
            List<JobRun> runs;
            try {
                runs = reader.read(where, problem -> err.println("heddle pack: " + problem + "; left out"));
            } catch (FileNotFoundException e) {
                throw new CommandException(CommandException.WRONG, where + ": no such file or directory");
            } catch (IOException e) {
                throw new CommandException(CommandException.WRONG, where + ": " + e.getMessage());
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
