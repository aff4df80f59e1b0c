// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.jobs;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
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
import org.heddle.benchmarks.experiment.Row;
import org.heddle.benchmarks.experiment.Run;
import org.heddle.benchmarks.program.ChildProgram;
import org.heddle.benchmarks.program.PrintedTable;
import org.heddle.benchmarks.program.Repetitions;
import org.heddle.benchmarks.rm.Contestant;

/** {@link JobWallTimes}: the wall time of whole jobs under each scheduler, and where it goes. */
public final class JobWallTimesExperiment implements Experiment {
    private static final String WALL_TIME = "wall time, s";
    private static final String TIMES = "x best of the others";
    private static final double MOST_TIMES = 0.8;
    private static final int MAPS = 50;
    private static final int MAP_MILLIS = 2_000;
    private static final int STAGES = 20;

    /** Of all jobs under one scheduler, which take five minutes. */
    private static final Duration LIMIT = Duration.ofMinutes(30);

    @Override
    public Description description() {
        return new Description(
                "job-wall-times",
                "DRF scheduler: wall time of whole jobs",
                Paper.NONE,
                "",
                List.of(),
                "No paper has this: " + MAPS + " maps that sleep for 2 s and a Spark program of " + STAGES
                        + " stages, each of " + JobWallTimes.TASKS_OF_A_STAGE + " tasks that sleep for "
                        + JobWallTimes.STAGE_MILLIS / 1e3
                        + " s, from the call that submits the job until its master has unregistered. Hadoop's"
                        + " ResourceManager and NodeManagers in one process, containers as processes with small heaps,"
                        + " and Hadoop's own intervals: a heartbeat a second of each node and of MapReduce's master."
                        + " First four nodes of one core: the maps need many waves, and two processors do not bound"
                        + " them. Then four more nodes, so that all maps have room at once; then the start of 50 JVMs"
                        + " takes the processors' time. Speculation is off. Spark has its driver in the cluster and"
                        + " dynamic allocation with its defaults, as users configure it, so it requests executors in"
                        + " several steps; at most "
                        + JobWallTimes.TASKS_OF_A_STAGE
                        + ", because their start takes processor time. The columns"
                        + " that follow one of MapReduce's maps from its request to its end are medians over the maps."
                        + " Schedulers take turns in each repetition. Settings: "
                        + Contestant.settings(Contestant.FOR_WAITS)
                        + ".");
    }

    @Override
    public List<Goal> goals() {
        return List.of(Goal.atMost(
                Contestant.HEDDLE_IMMEDIATE + ": " + TIMES + ", largest of all jobs",
                MOST_TIMES,
                all -> Measurement.of(of(Contestant.HEDDLE_IMMEDIATE.toString(), all.rows()))
                        .largest(TIMES)));
    }

    @Override
    public Effort effort() {
        return Effort.quiet(85, 3);
    }

    @Override
    public Bands bands() {
        return new Bands(new Band(0.3, 1), Map.of());
    }

    @Override
    public Measurement run(Run run) throws IOException, InterruptedException {
        return Measurement.of(
                rows(Repetitions.lines(run, Contestant.FOR_WAITS, contestant -> program(run, contestant))));
    }

    private static ChildProgram program(Run run, Contestant contestant) {
        return new ChildProgram(
                        JobWallTimes.class,
                        "1g",
                        run.root().toString(),
                        run.scratch().toString(),
                        contestant.toString(),
                        String.valueOf(MAPS),
                        String.valueOf(MAP_MILLIS),
                        String.valueOf(STAGES))
                .within(LIMIT);
    }

    /** By job, and in the order of the contestants. */
    static List<Row> rows(List<String> lines) {
        List<Row> read = PrintedTable.rows(lines, 1);
        return jobs(read).stream()
                .flatMap(job -> compared(Contestant.FOR_WAITS.stream()
                                .map(one -> job + ", " + one)
                                .flatMap(name ->
                                        read.stream().filter(row -> row.name().equals(name)))
                                .toList())
                        .stream())
                .toList();
    }

    /** The rows of one job, each with its wall time in relation to the shortest of other projects' schedulers. */
    private static List<Row> compared(List<Row> rows) {
        double best = rows.stream()
                .filter(row -> !row.name().contains(", " + Contestant.HEDDLE))
                .mapToDouble(row -> row.median(WALL_TIME))
                .min()
                .orElse(Double.NaN);
        return rows.stream()
                .map(row -> row.with(TIMES, row.median(WALL_TIME) / best))
                .toList();
    }

    private static List<String> jobs(List<Row> rows) {
        return rows.stream()
                .map(row -> row.name().substring(0, row.name().lastIndexOf(", ")))
                .distinct()
                .toList();
    }

    private static List<Row> of(String contestant, List<Row> rows) {
        return rows.stream()
                .filter(row -> row.name().endsWith(", " + contestant))
                .toList();
    }

    @Override
    public List<Plot> plots(Measurement measurement) {
        List<String> jobs = jobs(measurement.rows());
        // as the result has them: the schedulers that are compared may have changed since
        List<Curve> bars = measurement.rows().stream()
                .map(row -> row.name().substring(row.name().lastIndexOf(", ") + 2))
                .distinct()
                .map(one -> Curve.overRows("time", one, of(one, measurement.rows()), WALL_TIME, 0))
                .toList();
        return List.of(new Plot("time", "Wall time of whole jobs", "", "s", jobs, bars));
    }
}
