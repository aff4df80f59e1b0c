// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.ToDoubleFunction;
import org.heddle.packing.chart.FitPlot;
import org.heddle.packing.fit.FittedModel;
import org.heddle.packing.fit.JobClasses;
import org.heddle.packing.fit.JobRun;
import org.heddle.packing.fit.Measurement;
import org.heddle.packing.fit.ModelFit;
import org.heddle.packing.model.Job;
import org.heddle.packing.model.JobCommand;
import org.heddle.packing.model.RuntimeModel;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options for fitting a model to the runs of a job; fit and profile share them. */
final class FitOptions {
    /** A leave-one-out error above this is more than noise. */
    private static final double UNRELIABLE = 0.4;

    @Option(names = "--plots", paramLabel = "DIR", description = "Draw points and curve of each job as SVG.")
    private @Nullable Path plots;

    @Option(
            names = "--cpu-above",
            defaultValue = "0.6",
            description = "CPU intensive above this share of a core (${DEFAULT-VALUE}, as in the paper).")
    private double cpuAbove;

    @Option(
            names = "--io-above",
            defaultValue = "16.7",
            description =
                    "I/O intensive above this many MB/s per VM (${DEFAULT-VALUE}: 100 MB/s on 6 VMs, as in the paper).")
    private double ioAbove;

    @Option(names = "--keep-classes", description = "Profile: leave the CPU and I/O classes as they are in the file.")
    private boolean keepClasses;

    /** The measured runs of one job. */
    static final class Evidence {
        final List<Measurement> runs = new ArrayList<>();
        final List<JobRun> histories = new ArrayList<>();

        /** By the tasks of the newest run; null if no history has tasks. */
        private @Nullable RuntimeModel curve() {
            return histories.stream()
                    .map(JobRun::curve)
                    .filter(Objects::nonNull)
                    .reduce((older, newer) -> newer)
                    .orElse(null);
        }

        private double mean(ToDoubleFunction<JobRun> value) {
            return JobClasses.mean(histories, value);
        }
    }

    /**
     * @param unknown what its model does not know, sentences that begin with the name of the job
     */
    record Fitted(Job job, List<String> unknown) {}

    /**
     * Fits a job and prints the models with their errors.
     *
     * @param slots N of the cluster that will be planned for
     * @param given classes and command for what the histories do not say; null if nothing is known
     */
    Fitted fit(String name, Evidence evidence, int slots, @Nullable Job given, PrintWriter out) throws IOException {
        int tasks = evidence.histories.stream().mapToInt(JobRun::tasks).max().orElse(0);
        List<FittedModel> candidates = ModelFit.fit(evidence.runs, tasks, evidence.curve());
        FittedModel best = candidates.get(0);
        print(name, evidence, candidates, out);
        List<String> unknown = unknown(evidence, best, slots);
        unknown.forEach(sentence -> out.println("  careful: " + sentence));
        boolean cpu = given != null && given.cpu();
        boolean io = given != null && given.io();
        if (!evidence.histories.isEmpty()) {
            JobClasses classes = new JobClasses(cpuAbove, ioAbove * 1e6);
            boolean keep = keepClasses && given != null;
            cpu = keep ? cpu : classes.isCpu(evidence.histories);
            io = keep ? io : classes.isIo(evidence.histories);
            say(
                    out,
                    "  CPU %.0f %% of a core, I/O %.1f MB/s per VM: %s%s",
                    100 * evidence.mean(JobRun::cpu),
                    evidence.mean(JobRun::ioPerVm) / 1e6,
                    classes(cpu, io),
                    keep ? ", as in the file" : "");
        }
        draw(name, evidence, best, slots);
        JobCommand command = given == null ? null : given.command();
        return new Fitted(
                new Job(name, best.model(), cpu, io, command),
                unknown.stream().map(sentence -> name + ": " + sentence).toList());
    }

    private static String classes(boolean cpu, boolean io) {
        if (cpu && io) {
            return "CPU and I/O intensive";
        }
        if (cpu) {
            return "CPU intensive";
        }
        return io ? "I/O intensive" : "neither class";
    }

    private static void print(String name, Evidence evidence, List<FittedModel> candidates, PrintWriter out) {
        FittedModel best = candidates.get(0);
        out.println(name + ": F(n) = " + best.model().formula() + " s (" + best.kind() + ", " + evidence.runs.size()
                + (evidence.runs.size() == 1 ? " run" : " runs") + " at n = " + best.fewest() + " to " + best.most()
                + ")");
        for (FittedModel.Coefficient c : best.coefficients()) {
            if (Double.isNaN(c.low())) {
                say(out, "  %s = %.6g, no interval from so few runs", c.name(), c.value());
            } else {
                say(out, "  %s = %.6g, 90 %% between %.6g and %.6g", c.name(), c.value(), c.low(), c.high());
            }
        }
        for (FittedModel other : candidates) {
            if (Double.isNaN(other.leaveOneOutError())) {
                say(out, "  leave-one-out error %s unknown: needs 3 runs at 3 or more n", other.kind());
            } else {
                say(out, "  leave-one-out error %s %.2f %%", other.kind(), 100 * other.leaveOneOutError());
            }
        }
    }

    /** What a plan must not take for certain. */
    private static List<String> unknown(Evidence evidence, FittedModel best, int slots) {
        List<String> unknown =
                new ArrayList<>(ModelFit.warnings(evidence.runs, best.kind().equals(ModelFit.TASKS)));
        if (evidence.runs.size() == 1) {
            unknown.add("there is one run, so nothing is known about how much runs differ");
        }
        if (best.leaveOneOutError() > UNRELIABLE) {
            unknown.add(String.format(
                    Locale.ROOT,
                    "the runs do not follow the curve, which misses a run that it has not seen by %.0f %% on average;"
                            + " measure again",
                    100 * best.leaveOneOutError()));
        }
        if (best.extrapolates(1) || best.extrapolates(slots)) {
            unknown.add("plans use n = 1 to " + slots + ", but the runs cover only " + best.fewest() + " to "
                    + best.most());
        }
        if (evidence.histories.stream().anyMatch(JobRun::ragged)) {
            unknown.add("some runs left VMs idle in their last wave, so n is a mean and the times form a staircase");
        }
        return unknown;
    }

    private void draw(String name, Evidence evidence, FittedModel best, int slots) throws IOException {
        if (plots == null) {
            return;
        }
        Files.createDirectories(plots);
        Path file = plots.resolve(name.replaceAll("[^A-Za-z0-9_.#-]", "-") + ".svg");
        int most = Math.max(slots, best.most());
        boolean power = best.kind().equals("power");
        Output.write(
                file,
                FitPlot.draw(
                        name, evidence.runs, best, most, n -> power ? ModelFit.band(evidence.runs, n) : Double.NaN));
    }

    private static void say(PrintWriter out, String format, Object... values) {
        out.println(String.format(Locale.ROOT, format, values));
    }
}
