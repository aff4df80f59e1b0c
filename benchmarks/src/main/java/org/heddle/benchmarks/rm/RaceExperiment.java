// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.rm;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.heddle.benchmarks.experiment.Band;
import org.heddle.benchmarks.experiment.Bands;
import org.heddle.benchmarks.experiment.Description;
import org.heddle.benchmarks.experiment.Effort;
import org.heddle.benchmarks.experiment.Experiment;
import org.heddle.benchmarks.experiment.Goal;
import org.heddle.benchmarks.experiment.Measurement;
import org.heddle.benchmarks.experiment.Paper;
import org.heddle.benchmarks.experiment.Plot;
import org.heddle.benchmarks.experiment.Row;
import org.heddle.benchmarks.experiment.Run;
import org.heddle.benchmarks.experiment.Spread;

/** {@link SchedulerRace}: what a container costs under each scheduler, and how fair and full the cluster is. */
public final class RaceExperiment implements Experiment {
    private static final List<String> SIZES = List.of("1k", "5k", "10k");
    private static final List<Contestant> CONTESTANTS = List.of(
            Contestant.FLOOR,
            Contestant.HEDDLE,
            Contestant.FAIR,
            Contestant.FAIR_DEFAULT,
            Contestant.CAPACITY,
            Contestant.CAPACITY_ASYNC,
            Contestant.CAPACITY_DEFAULT,
            Contestant.FIFO);
    static final String COST = "a container, us";
    static final String RATIO = "x floor";
    static final String MOST_RATIO = "x floor, at most";
    static final String HEARTBEAT = "node heartbeat, p99, us";
    static final String JAIN = "Jain's index";
    public static final String LEAST = "least share / mean";
    public static final String CORES = "cores in use";
    static final String ROOM = "nodes with room";
    static final String NEWCOMER = "newcomer";
    public static final String NODE = "node added, us";

    @Override
    public Description description() {
        return new Description(
                "scheduler-race",
                "DRF scheduler: what a container costs, against other schedulers",
                Paper.NONE,
                "",
                List.of(),
                "No paper has this: the scheduler classes inside a real ResourceManager, called as it calls them, on a full"
                        + " cluster in which each user has a queue and wants more; CPU time of the calling thread; the floor is"
                        + " a scheduler of ours that chooses nothing; ratios are to the floor in the same block, with the upper"
                        + " end of a 95 % interval of their mean; the workload has one seed, and repetitions are blocks."
                        + " Processes have 2.5 GB. Settings: " + Contestant.settings(CONTESTANTS) + ".");
    }

    @Override
    public List<Goal> goals() {
        return SIZES.stream().flatMap(size -> RaceGoals.of(size).stream()).toList();
    }

    @Override
    public Effort effort() {
        return Effort.quiet(60, 10);
    }

    @Override
    public Bands bands() {
        return new Bands(
                Band.within(0.25),
                Map.of(
                        JAIN, new Band(0, 0.005),
                        LEAST, new Band(0, 0.02),
                        NEWCOMER, new Band(0.5, 0.5),
                        NODE, new Band(0.5, 20),
                        ROOM, new Band(0.3, 20)));
    }

    @Override
    public Measurement run(Run run) throws IOException {
        List<Row> rows = new ArrayList<>();
        for (String size : SIZES) {
            List<WorkerProcess> runners =
                    SchedulerRace.measure(size, run.seeds().size(), run.seeds().get(0), CONTESTANTS, run.progress());
            rows.addAll(rows(size, runners));
        }
        return Measurement.of(rows);
    }

    /** Of a row. */
    static String name(String size, Contestant contestant) {
        return size + " nodes, " + contestant;
    }

    static List<Row> rows(String size, List<WorkerProcess> runners) {
        return runners.stream().map(runner -> row(size, runner, runners.get(0))).toList();
    }

    private static Row row(String size, WorkerProcess runner, WorkerProcess floor) {
        Row row = Row.of(name(size, runner.contestant));
        if (runner.failed()) {
            return row.with("failed after blocks", runner.blocks.size());
        }
        double[] ratios = SchedulerRace.ratios(runner, floor);
        RunSummary summary = Objects.requireNonNull(runner.summary);
        double[] costs =
                runner.blocks.stream().mapToDouble(Block::microsPerContainer).toArray();
        return row.with(COST, Spread.of(costs))
                .with(RATIO, Spread.of(ratios))
                .with(MOST_RATIO, SchedulerRace.upperBound(ratios))
                .with(HEARTBEAT, runner.medianMicros(Block::nodeTail))
                .with("whole process, us", runner.processMicrosPerContainer())
                .with(JAIN, summary.standing().jain())
                .with(LEAST, summary.standing().leastToMean())
                .with(CORES, summary.standing().coresInUse())
                .with(ROOM, summary.nodesWithRoom())
                .with(NEWCOMER, summary.newcomer())
                .with(NODE, summary.nodeAddedMicros());
    }

    @Override
    public List<Plot> plots(Measurement measurement) {
        List<Plot> plots = new ArrayList<>();
        for (String size : SIZES) {
            List<Row> rows = measurement.rows().stream()
                    .filter(row -> row.name().startsWith(size + " "))
                    .toList();
            if (!rows.isEmpty()) {
                plots.add(RacePicture.of(size, "", rows));
            }
        }
        return plots;
    }
}
