// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.offers.emulation;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.hadoop.fs.FileUtil;
import org.heddle.benchmarks.experiment.Band;
import org.heddle.benchmarks.experiment.Bands;
import org.heddle.benchmarks.experiment.Curve;
import org.heddle.benchmarks.experiment.Description;
import org.heddle.benchmarks.experiment.Effort;
import org.heddle.benchmarks.experiment.Experiment;
import org.heddle.benchmarks.experiment.Goal;
import org.heddle.benchmarks.experiment.Measurement;
import org.heddle.benchmarks.experiment.Paper;
import org.heddle.benchmarks.experiment.Plot;
import org.heddle.benchmarks.experiment.Published;
import org.heddle.benchmarks.experiment.Run;
import org.heddle.benchmarks.program.ChildProgram;
import org.heddle.benchmarks.program.PrintedTable;
import org.heddle.benchmarks.program.Repetitions;

/** {@link Scalability} with clusters of up to 50,000 nodes, as in the Mesos paper's experiment on scalability. */
public final class ScalabilityExperiment implements Experiment {
    private static final List<Integer> NODES = List.of(1_000, 10_000, 25_000, 50_000);
    private static final String PLOT = "overhead";
    private static final double MOST_MEAN_MILLIS = 100;

    /** Of one cluster, which takes two minutes. */
    private static final Duration LIMIT = Duration.ofMinutes(20);

    @Override
    public Description description() {
        return new Description(
                "offers-scalability",
                "The bridge with up to 50,000 nodes",
                Paper.MESOS,
                "section 6.5",
                List.of(new Published("50,000 nodes", "less than 1 s", "section 6.5")),
                "The paper starts up to 50,000 daemons on 99 machines, and takes the mean of five frameworks that register and run"
                        + " a task of 10 s each in a full cluster. Here YARN, agents and frameworks are emulated in the bridge's"
                        + " process: no network, no HTTP and no containers, so this is what the bridge itself costs, with its default"
                        + " settings and its log on a local disk. As in the paper " + Scalability.FRAMEWORKS
                        + " frameworks keep the nodes full with tasks of 30 s in the mean; a node has one of them, not two, and a core"
                        + " more for single tasks, which therefore need not wait for the end of another one. One more framework"
                        + " registers and launches a task of 0.1 s; then it launches "
                        + Scalability.SINGLE_TASKS
                        + " of them, one after the other, from offers that it has kept. The figures are what they take beyond that"
                        + " length. The first task also waits for YARN's next heartbeat, up to 0.1 s. YARN allocates to the application"
                        + " with the fewest containers. Launches that come after their offers have ended, as they may in Mesos, are"
                        + " counted.");
    }

    @Override
    public List<Goal> goals() {
        return NODES.stream()
                .map(nodes ->
                        Goal.atMost(String.format(Locale.ROOT, "%,d nodes", nodes), Scalability.MEAN, MOST_MEAN_MILLIS))
                .toList();
    }

    @Override
    public Effort effort() {
        return Effort.quiet(20, 3);
    }

    @Override
    public Bands bands() {
        return new Bands(
                new Band(0.5, 5),
                Map.of(
                        Scalability.MOST,
                        new Band(1, 50),
                        Scalability.LONGEST,
                        new Band(1, 200),
                        Scalability.FIRST,
                        new Band(0.5, 150),
                        Scalability.LAUNCHES,
                        Band.within(0.2),
                        Scalability.BUSY,
                        new Band(0, 3),
                        Scalability.LATE,
                        new Band(1, 100)));
    }

    @Override
    public Measurement run(Run run) throws IOException, InterruptedException {
        return Measurement.of(PrintedTable.rows(Repetitions.lines(run, NODES, nodes -> program(run, nodes)), 1));
    }

    private static ChildProgram program(Run run, int nodes) throws IOException {
        Path logs = run.scratch().resolve("bridge-logs");
        FileUtil.fullyDelete(logs.toFile()); // of the cluster before
        return new ChildProgram(
                        Scalability.class,
                        "4g",
                        Files.createDirectories(logs).toString(),
                        String.valueOf(nodes),
                        String.valueOf(Scalability.FRAMEWORKS),
                        "1")
                .within(LIMIT);
    }

    @Override
    public List<Plot> plots(Measurement measurement) {
        List<Double> nodes = measurement.rows().stream()
                .map(row -> Double.valueOf(row.name().replaceAll("[^0-9]", "")))
                .toList();
        List<Curve> curves = Stream.of(Scalability.MEAN, Scalability.MEDIAN, Scalability.MOST)
                .map(column -> new Curve(PLOT, column, nodes, medians(measurement, column)))
                .toList();
        return List.of(new Plot(PLOT, "What a single task takes beyond its length", "nodes", "ms", List.of(), curves));
    }

    private static List<Double> medians(Measurement measurement, String column) {
        return measurement.rows().stream().map(row -> row.median(column)).toList();
    }
}
