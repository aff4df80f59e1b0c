// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.rm;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.heddle.benchmarks.experiment.Band;
import org.heddle.benchmarks.experiment.Bands;
import org.heddle.benchmarks.experiment.Curve;
import org.heddle.benchmarks.experiment.Description;
import org.heddle.benchmarks.experiment.Effort;
import org.heddle.benchmarks.experiment.Experiment;
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
    private static final String COST = "a container, us";

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
                        + " end of a 95 % interval; the workload has one seed, and repetitions are blocks.");
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
                        "Jain's index", new Band(0, 0.005),
                        "least share / mean", new Band(0, 0.02),
                        "newcomer", new Band(0.5, 0.5),
                        "node added, us", new Band(0.5, 20),
                        "nodes with room", new Band(0.3, 20)));
    }

    @Override
    public Measurement run(Run run) throws IOException {
        List<Row> rows = new ArrayList<>();
        for (String size : SIZES) {
            List<WorkerProcess> runners =
                    SchedulerRace.measure(size, run.seeds().size(), run.seeds().get(0), CONTESTANTS, run.progress());
            for (WorkerProcess runner : runners) {
                rows.add(row(size, runner, runners.get(0)));
            }
        }
        return Measurement.of(rows);
    }

    private static Row row(String size, WorkerProcess runner, WorkerProcess floor) {
        double[] ratios = SchedulerRace.ratios(runner, floor);
        RunSummary summary = Objects.requireNonNull(runner.summary);
        double[] costs =
                runner.blocks.stream().mapToDouble(Block::microsPerContainer).toArray();
        return Row.of(size + " nodes, " + runner.contestant)
                .with(COST, Spread.of(costs))
                .with("x floor", Arrays.stream(ratios).average().orElse(Double.NaN))
                .with("x floor, at most", SchedulerRace.upperBound(ratios))
                .with("node heartbeat, p99, us", runner.medianMicros(Block::nodeTail))
                .with("whole process, us", runner.processMicrosPerContainer())
                .with("Jain's index", summary.jain())
                .with("least share / mean", summary.leastToMean())
                .with("cores in use", summary.coresInUse())
                .with("nodes with room", summary.nodesWithRoom())
                .with("newcomer", summary.newcomer())
                .with("node added, us", summary.nodeAddedMicros());
    }

    @Override
    public List<Plot> plots(Measurement measurement) {
        List<Plot> plots = new ArrayList<>();
        for (String size : SIZES) {
            List<Row> rows = measurement.rows().stream()
                    .filter(row -> row.name().startsWith(size + " "))
                    .toList();
            if (rows.isEmpty()) {
                continue;
            }
            plots.add(new Plot(
                    size,
                    "CPU time for each container, " + size + " nodes",
                    "",
                    "us",
                    rows.stream()
                            .map(row -> row.name().substring(row.name().indexOf(", ") + 2))
                            .toList(),
                    List.of(
                            Curve.overRows(size, "calling thread", rows, COST, 0),
                            Curve.overRows(size, "whole process", rows, "whole process, us", 0))));
        }
        return plots;
    }
}
