// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.rm;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import org.apache.hadoop.util.VersionInfo;
import org.heddle.benchmarks.experiment.Measurement;
import org.heddle.benchmarks.experiment.Row;
import org.heddle.benchmarks.report.Charts;
import org.heddle.benchmarks.report.GoalTable;

/**
 * {@code SchedulerRace SIZES BLOCKS DIRECTORY SCHEDULER...}: all of them in turns, block by block, for each of the
 * sizes ({@code 1k,5k,10k-local}). Writes a report with a table for each size, the goals met and missed, and pictures.
 * Ratios are of cost per container in the same block; the bound is the upper end of a 95 % bootstrap interval of their
 * mean.
 */
public final class SchedulerRace {
    private static final long SEED = 20_260_721;
    private static final int RESAMPLES = 2_000;

    private SchedulerRace() {}

    public static void main(String[] arguments) throws IOException {
        if (arguments.length < 4) {
            System.err.println("race: give sizes (small,1k,5k,10k), a number of blocks, a directory and schedulers");
            System.exit(2);
        }
        try {
            List<String> sizes = List.of(arguments[0].split(",", -1));
            sizes.forEach(size -> Workload.named(size, SEED)); // are they?
            int blocks = Integer.parseInt(arguments[1]);
            List<Contestant> contestants = Arrays.stream(arguments)
                    .skip(3)
                    .map(Contestant::named)
                    .sorted()
                    .toList();
            Path directory = Files.createDirectories(Path.of(arguments[2]));
            StringBuilder report = new StringBuilder("# Schedulers against each other and the floor\n");
            for (String size : sizes) {
                report.append(race(size, blocks, contestants, directory));
                Files.writeString(directory.resolve("race.md"), report); // what is done is kept if the next fails
            }
            System.out.println(report);
        } catch (IllegalArgumentException e) {
            System.err.println("race: " + e.getMessage());
            System.exit(2);
        }
    }

    private static String race(String size, int blocks, List<Contestant> contestants, Path directory)
            throws IOException {
        List<WorkerProcess> runners = measure(size, blocks, SEED, contestants, System.err::println);
        List<Row> rows = RaceExperiment.rows(size, runners);
        Files.write(directory.resolve("race-" + size + ".png"), Charts.png(RacePicture.of(size, origin(), rows)));
        return report(size, blocks, runners) + GoalTable.markdown(RaceGoals.of(size), Measurement.of(rows));
    }

    /** Machine and versions; the script says which commit. */
    private static String origin() {
        return String.format(
                Locale.ROOT,
                "%d cores, %s %s, Java %s, Hadoop %s, commit %s",
                Runtime.getRuntime().availableProcessors(),
                System.getProperty("os.name"),
                System.getProperty("os.version"),
                System.getProperty("java.version"),
                VersionInfo.getVersion(),
                System.getProperty("heddle.commit", "unknown"));
    }

    /** What a process is to do next. */
    private interface Step {
        void of(WorkerProcess runner) throws IOException;
    }

    /** The others go on without another project's scheduler that fails. */
    private static void attempt(Step step, WorkerProcess runner, Consumer<String> progress) throws IOException {
        if (runner.failed()) {
            return;
        }
        try {
            step.of(runner);
        } catch (IOException e) {
            if (runner.contestant.isOurs()) {
                throw e;
            }
            progress.accept(e.getMessage());
        }
    }

    /**
     * All schedulers in turns, block by block.
     *
     * @return their processes, which have ended, with what they measured
     * @throws IOException if a scheduler of ours fails
     */
    static List<WorkerProcess> measure(
            String size, int blocks, long seed, List<Contestant> contestants, Consumer<String> progress)
            throws IOException {
        List<WorkerProcess> runners = new ArrayList<>();
        try {
            for (Contestant contestant : contestants) {
                progress.accept(size + ": getting " + contestant + " ready");
                WorkerProcess runner = new WorkerProcess(contestant, size, seed);
                runners.add(runner);
                attempt(WorkerProcess::awaitReady, runner, progress);
            }
            for (int block = 1; block <= blocks; block++) {
                progress.accept(size + ": block " + block + " of " + blocks);
                for (WorkerProcess runner : runners) {
                    attempt(WorkerProcess::measure, runner, progress);
                }
            }
            for (WorkerProcess runner : runners) {
                attempt(WorkerProcess::stand, runner, progress);
            }
            return runners;
        } finally {
            for (WorkerProcess runner : runners) {
                runner.close();
            }
        }
    }

    private static String report(String size, int blocks, List<WorkerProcess> runners) {
        StringBuilder report = new StringBuilder();
        report.append(String.format(
                Locale.ROOT,
                "%n## %s%n%n%s; %d blocks; CPU times in us, heap in bytes%n%n"
                        + "| | a container | x %s (at most) | node p50 / p99 | master p50 / p99 | whole process | Jain"
                        + " | least / mean | cores in use | nodes with room | on own node | newcomer | node added"
                        + " | heap: node / application / container |%n"
                        + "|---|---|---|---|---|---|---|---|---|---|---|---|---|---|%n",
                size,
                Workload.named(size, SEED),
                blocks,
                runners.get(0).contestant));
        for (WorkerProcess runner : runners) {
            if (runner.failed()) {
                report.append("| ").append(runner.contestant).append(" | failed |\n");
                continue;
            }
            double[] ratios = ratios(runner, runners.get(0));
            RunSummary summary = Objects.requireNonNull(runner.summary);
            report.append(String.format(
                    Locale.ROOT,
                    "| %s | %.1f | %.2f (%.2f) | %.0f / %.0f | %.0f / %.0f | %.1f | %.4f | %.3f | %.2f | %d | %.2f |"
                            + " %.1f | %.0f | %d / %d / %d |%n",
                    runner.contestant,
                    runner.microsPerContainer(),
                    Arrays.stream(ratios).average().orElse(1),
                    upperBound(ratios),
                    runner.medianMicros(Block::nodeMedian),
                    runner.medianMicros(Block::nodeTail),
                    runner.medianMicros(Block::masterMedian),
                    runner.medianMicros(Block::masterTail),
                    runner.processMicrosPerContainer(),
                    summary.standing().jain(),
                    summary.standing().leastToMean(),
                    summary.standing().coresInUse(),
                    summary.nodesWithRoom(),
                    summary.local(),
                    summary.newcomer(),
                    summary.nodeAddedMicros(),
                    summary.heapPerNode(),
                    summary.heapPerApplication(),
                    summary.heapPerContainer()));
        }
        report.append('\n');
        for (WorkerProcess runner : runners) {
            report.append("- ").append(runner.contestant).append(": ");
            report.append(runner.contestant.settings()).append('\n');
        }
        return report.append('\n').toString();
    }

    static double[] ratios(WorkerProcess runner, WorkerProcess first) {
        double[] ratios = new double[runner.blocks.size()];
        Arrays.setAll(
                ratios,
                i -> runner.blocks.get(i).microsPerContainer()
                        / first.blocks.get(i).microsPerContainer());
        return ratios;
    }

    /** The upper end of a 95 % bootstrap interval of the mean. */
    static double upperBound(double[] ratios) {
        SplittableRandom random = new SplittableRandom(SEED);
        double[] means = new double[RESAMPLES];
        for (int i = 0; i < RESAMPLES; i++) {
            double sum = 0;
            for (int j = 0; j < ratios.length; j++) {
                sum += ratios[random.nextInt(ratios.length)];
            }
            means[i] = sum / ratios.length;
        }
        Arrays.sort(means);
        return means[RESAMPLES * 975 / 1000];
    }
}
