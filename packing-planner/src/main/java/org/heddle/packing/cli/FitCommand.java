// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.cli;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import org.apache.hadoop.conf.Configuration;
import org.heddle.packing.fit.Classes;
import org.heddle.packing.fit.FittedModel;
import org.heddle.packing.fit.JobHistories;
import org.heddle.packing.fit.JobRun;
import org.heddle.packing.fit.ModelFit;
import org.heddle.packing.fit.Run;
import org.heddle.packing.io.ProblemFile;
import org.heddle.packing.model.Alpha;
import org.heddle.packing.model.Job;
import org.heddle.packing.model.Problem;
import org.heddle.packing.see.FitPlot;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code heddle-pack fit}. */
@Command(
        name = "fit",
        mixinStandardHelpOptions = true,
        description = "Fits run time models to job histories (.jhist files, directories or patterns, local or on HDFS)"
                + " and to measured points, job by job, and writes them as a problem.")
final class FitCommand implements Callable<Integer> {
    @Spec
    @SuppressWarnings("NullAway.Init") // injected
    private CommandSpec spec;

    @Option(
            names = "--points",
            paramLabel = "FILE",
            description = "Measured runs as lines of job,n,seconds; # starts a comment.")
    private @Nullable Path points;

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FILE",
            description = "Write the models as a problem file.")
    private @Nullable Path output;

    @Option(names = "--plots", paramLabel = "DIR", description = "Draw points and curve of each job as SVG.")
    private @Nullable Path plots;

    @Option(names = "--machines", defaultValue = "10", description = "P of the problem (${DEFAULT-VALUE}).")
    private int machines;

    @Option(names = "--disks", defaultValue = "2", description = "k of the problem (${DEFAULT-VALUE}).")
    private int disks;

    @Option(names = "--ratio", defaultValue = "2", description = "r of the problem (${DEFAULT-VALUE}).")
    private int ratio;

    @Option(names = "--alpha", defaultValue = "1.3", description = "alpha of the problem (${DEFAULT-VALUE}).")
    private double alpha;

    @Option(
            names = "--cpu-above",
            defaultValue = "0.6",
            description = "CPU intensive above this share of a core (${DEFAULT-VALUE}, the paper's).")
    private double cpuAbove;

    @Option(
            names = "--io-above",
            defaultValue = "16.7",
            description =
                    "I/O intensive above this many MB/s per VM (${DEFAULT-VALUE}: the paper's 100 MB/s on 6 VMs).")
    private double ioAbove;

    @Parameters(paramLabel = "HISTORY", arity = "0..*", description = "Files, directories or patterns.")
    private List<String> histories = new ArrayList<>();

    /** All that is known of one job. */
    private static final class Evidence {
        private final List<Run> runs = new ArrayList<>();
        private final List<JobRun> histories = new ArrayList<>();
    }

    @Override
    public Integer call() throws IOException {
        PrintWriter out = spec.commandLine().getOut();
        PrintWriter err = spec.commandLine().getErr();
        Map<String, Evidence> jobs = new TreeMap<>();
        readHistories(jobs, err);
        readPoints(jobs);
        if (jobs.isEmpty()) {
            throw new CommandException(2, "nothing to fit: give job histories with a successful run, or --points FILE");
        }
        if (plots != null) {
            Files.createDirectories(plots);
        }
        List<Job> fitted = new ArrayList<>();
        jobs.forEach((name, evidence) -> fitted.add(fit(name, evidence, out)));
        if (output != null) {
            Problem problem = new Problem("fitted", machines, disks, ratio, new Alpha(alpha), fitted);
            String text = ProblemFile.write(problem).toPrettyString();
            ProblemFile.parse("--machines, --disks, --ratio or --alpha", text);
            Output.write(output, text);
        }
        out.flush();
        return 0;
    }

    private void readHistories(Map<String, Evidence> jobs, PrintWriter err) {
        JobHistories reader = new JobHistories(new Configuration());
        for (String where : histories) {
            List<JobRun> runs;
            try {
                runs = reader.read(where);
            } catch (FileNotFoundException e) {
                throw new CommandException(2, where + ": no such file or directory");
            } catch (IOException e) {
                throw new CommandException(2, where + ": " + e.getMessage());
            }
            for (JobRun run : runs) {
                if (run.succeeded()) {
                    Evidence evidence = jobs.computeIfAbsent(run.job(), n -> new Evidence());
                    evidence.histories.add(run);
                    evidence.runs.add(new Run(run.vms(), run.seconds(), run.id()));
                } else {
                    err.println("heddle-pack: " + run.source() + ": job " + run.job() + " did not succeed; left out");
                }
            }
        }
        err.flush();
    }

    private void readPoints(Map<String, Evidence> jobs) {
        if (points == null) {
            return;
        }
        List<String> lines;
        try {
            lines = Files.readAllLines(points);
        } catch (IOException e) {
            throw new CommandException(2, points + ": cannot be read");
        }
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i).strip();
            if (line.isEmpty() || line.startsWith("#") || line.equals("job,n,seconds")) {
                continue;
            }
            String[] parts = line.split(",", -1);
            boolean good = parts.length == 3
                    && parts[1].strip().matches("[1-9][0-9]{0,6}")
                    && parts[2].strip().matches("[0-9]+([.][0-9]+)?([eE][+-]?[0-9]+)?")
                    && Double.parseDouble(parts[2].strip()) > 0;
            if (!good) {
                throw new CommandException(
                        2,
                        points + ", line " + (i + 1) + ": must be job,n,seconds with n >= 1 and seconds > 0, is "
                                + line);
            }
            jobs.computeIfAbsent(parts[0].strip(), n -> new Evidence())
                    .runs
                    .add(new Run(
                            Integer.parseInt(parts[1].strip()),
                            Double.parseDouble(parts[2].strip()),
                            points + " line " + (i + 1)));
        }
    }

    private Job fit(String name, Evidence evidence, PrintWriter out) {
        int tasks = evidence.histories.stream().mapToInt(JobRun::tasks).max().orElse(0);
        List<FittedModel> candidates = ModelFit.fit(evidence.runs, tasks);
        FittedModel best = candidates.get(0);
        out.println(name + ": F(n) = " + best.model().formula() + " s (" + best.kind() + ", " + evidence.runs.size()
                + " runs at n = " + best.fewest() + " to " + best.most() + ")");
        for (FittedModel.Coefficient c : best.coefficients()) {
            out.println(
                    Double.isNaN(c.low())
                            ? String.format(
                                    Locale.ROOT, "  %s = %.6g, no interval from so few runs", c.name(), c.value())
                            : String.format(
                                    Locale.ROOT,
                                    "  %s = %.6g, 90 %% between %.6g and %.6g",
                                    c.name(),
                                    c.value(),
                                    c.low(),
                                    c.high()));
        }
        for (FittedModel other : candidates) {
            out.println(String.format(
                    Locale.ROOT,
                    "  leave-one-out error %s %s",
                    other.kind(),
                    Double.isNaN(other.leaveOneOutError())
                            ? "unknown: needs 3 runs at 3 or more n"
                            : String.format(Locale.ROOT, "%.2f %%", 100 * other.leaveOneOutError())));
        }
        int slots = machines * disks;
        if (best.extrapolates(1) || best.extrapolates(slots)) {
            out.println("  careful: plans use n = 1 to " + slots + ", observed is only " + best.fewest() + " to "
                    + best.most());
        }
        if (evidence.histories.stream().anyMatch(JobRun::ragged)) {
            out.println(
                    "  careful: some runs left VMs idle in their last wave, so n is a mean and times sit on a stair");
        }
        Classes classes = new Classes(cpuAbove, ioAbove * 1e6);
        boolean cpu = classes.isCpu(evidence.histories);
        boolean io = classes.isIo(evidence.histories);
        if (!evidence.histories.isEmpty()) {
            out.println(String.format(
                    Locale.ROOT,
                    "  CPU %.0f %% of a core, I/O %.1f MB/s per VM: %s",
                    100
                            * evidence.histories.stream()
                                    .mapToDouble(JobRun::cpu)
                                    .average()
                                    .orElse(0),
                    evidence.histories.stream()
                                    .mapToDouble(JobRun::ioPerVm)
                                    .average()
                                    .orElse(0)
                            / 1e6,
                    cpu && io
                            ? "CPU and I/O intensive"
                            : cpu ? "CPU intensive" : io ? "I/O intensive" : "neither class"));
        }
        if (plots != null) {
            Path file = plots.resolve(name.replaceAll("[^A-Za-z0-9_.#-]", "-") + ".svg");
            int most = Math.max(slots, best.most());
            boolean power = best.kind().equals("power");
            Output.write(
                    file,
                    FitPlot.draw(
                            name,
                            evidence.runs,
                            best,
                            most,
                            n -> power ? ModelFit.band(evidence.runs, n) : Double.NaN));
        }
        return new Job(name, best.model(), cpu, io);
    }
}
