// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.scale;

import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
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
import org.heddle.benchmarks.experiment.Scale;
import org.heddle.benchmarks.experiment.Turns;
import org.heddle.benchmarks.rm.Contestant;
import org.heddle.benchmarks.rm.RaceExperiment;
import org.heddle.benchmarks.rm.RaceGoals;

/** How costs grow with nodes, queues, applications and resource types, and how long a failover takes. */
public final class ScaleExperiment implements Experiment {
    private static final double MOST_OF_FLOOR = 1.2;
    private static final String GROWS = ", x the first row";
    private static final String LOGARITHM = "log" + GROWS;
    private static final int LIMIT_OF_FAILOVERS = 600;
    private static final int LIMIT_OF_SMALL = 120;

    private static final String NODES = "nodes";
    private static final String QUEUES = "queues";
    private static final String APPLICATIONS = "applications";
    private static final String TYPES = "resource types";

    /**
     * What grows from row to row.
     *
     * @param what one of the words above
     * @param small sizes for a first look
     * @param sizes of the full scale
     */
    private record Growth(String what, List<Integer> small, List<Integer> sizes) {
        List<Integer> sizes(Scale scale) {
            return scale == Scale.FULL ? sizes : small;
        }

        String row(int size, Contestant contestant) {
            return String.format(Locale.ROOT, "%,d %s, %s", size, what, contestant);
        }

        ScaleRuns.Cluster cluster(int size, Scale scale) {
            int manyApplications = what.equals(QUEUES) && scale == Scale.FULL ? 10_000 : 1_000;
            return new ScaleRuns.Cluster(
                    what.equals(NODES) ? size : 1_000,
                    what.equals(QUEUES) ? size : 100,
                    what.equals(APPLICATIONS) ? size : manyApplications,
                    what.equals(TYPES) ? size : 2);
        }
    }

    private static final Growth GROWING_NODES = new Growth(NODES, List.of(), List.of(1_000, 5_000, 20_000, 50_000));

    private static final List<Growth> GROWTHS = List.of(
            GROWING_NODES,
            new Growth(QUEUES, List.of(100, 1_000), List.of(100, 1_000, 10_000)),
            new Growth(APPLICATIONS, List.of(), List.of(200, 2_000, 20_000)),
            new Growth(TYPES, List.of(10), List.of(2, 4, 10)));

    private static final List<Integer> NODES_OF_FAILOVERS = List.of(1_000, 10_000, 50_000);

    @Override
    public Description description() {
        return new Description(
                "scheduler-scale",
                "DRF scheduler: how costs grow, and how long a failover takes",
                Paper.NONE,
                "",
                List.of(),
                "No paper has this: a real ResourceManager whose scheduler is called as in the race, on a full cluster in which"
                        + " each user has a queue and wants more; one size grows and the others stay (1,000 nodes of 16 cores, 100"
                        + " queues, 1,000 applications, or 10,000 with the queues; two resource types), two containers end on each"
                        + " node between its heartbeats. CPU time of the calling thread. Nodes and applications are added to the"
                        + " full cluster, 50 at a time; an application also asks for 200 containers, and the next node is heard."
                        + " Containers a second: of that thread's time, heartbeats of nodes and masters together. The heap of a"
                        + " container includes what the masters request."
                        + " In a failover a standby in a process of its own becomes active and recovers all applications from a"
                        + " store in memory; then all nodes register with eight containers each through its service, without"
                        + " network, as fast as it takes them: wall time, and CPU time of two of its threads. The floor is a"
                        + " scheduler of ours that chooses nothing and recovers nothing. Processes have 8 GB; a run of more"
                        + " than four minutes is ended, a failover after ten. A run of another project's scheduler may fail (exit"
                        + " code 3: out of memory). Schedulers take turns from size to size.");
    }

    @Override
    public Effort effort() {
        return Effort.quiet(110, 3);
    }

    @Override
    public Bands bands() {
        return new Bands(Band.within(0.5), Map.of(RaceExperiment.NODE, new Band(0.5, 5)));
    }

    @Override
    public List<Goal> goals() {
        List<Goal> goals = new ArrayList<>();
        for (Growth growth : GROWTHS) {
            String row = growth.row(growth.sizes().get(growth.sizes().size() - 1), Contestant.HEDDLE);
            for (String column : List.of(ScaleRun.HEARTBEAT, ScaleRun.APPLICATION)) {
                goals.add(Goal.atMost(
                        row + ": " + grows(column) + ", by that of the logarithm",
                        1,
                        all -> all.median(row, grows(column)) / all.median(row, LOGARITHM)));
            }
            goals.add(Goal.atMost(row, RaceExperiment.NODE, RaceGoals.NODE_ADDED_MICROS));
        }
        for (int size : GROWING_NODES.sizes()) {
            String row = GROWING_NODES.row(size, Contestant.HEDDLE);
            String floor = GROWING_NODES.row(size, Contestant.FLOOR);
            goals.add(Goal.atMost(
                    row + ": application added, by that of the floor",
                    MOST_OF_FLOOR,
                    all -> all.median(row, ScaleRun.APPLICATION) / all.median(floor, ScaleRun.APPLICATION)));
        }
        return goals;
    }

    /** The column with how many times as much a row costs as the first one. */
    private static String grows(String column) {
        return column.replace(", us", GROWS);
    }

    @Override
    public List<Plot> plots(Measurement measurement) {
        List<Plot> plots = new ArrayList<>();
        for (Growth growth : GROWTHS) {
            String word = growth.what().replace(' ', '-');
            plots.add(Plot.ranges(
                    measurement.only(row -> row.name().contains(" " + growth.what() + ", ")),
                    "heartbeat-" + word,
                    "CPU time of a node's heartbeat by the number of " + growth.what(),
                    "us",
                    ScaleRun.HEARTBEAT,
                    name -> name));
        }
        plots.add(Plot.ranges(
                measurement,
                "failover",
                "Until all nodes are back after a failover",
                "seconds",
                ScaleRuns.BACK,
                ScaleExperiment::shortened));
        return plots.stream().filter(plot -> !plot.categories().isEmpty()).toList();
    }

    /** Nodes and scheduler of a failover. */
    private static String shortened(String name) {
        return name.replaceFirst("^" + ScaleRuns.FAILOVER + "(.*) and .*, ", "$1, ");
    }

    private static List<Contestant> contestants(Scale scale) {
        return scale == Scale.QUICK ? List.of(Contestant.HEDDLE) : ScaleRuns.CONTESTANTS;
    }

    @Override
    public Measurement run(Run run) throws IOException, InterruptedException {
        List<Row> rows = new ArrayList<>();
        for (Growth growth : GROWTHS) {
            rows.addAll(growth(run, growth));
        }
        int failovers = run.scale() == Scale.FULL ? NODES_OF_FAILOVERS.size() : 1;
        for (int nodes : NODES_OF_FAILOVERS.subList(0, failovers)) {
            rows.addAll(ScaleRuns.failovers(
                    run,
                    GROWING_NODES.cluster(nodes, run.scale()),
                    contestants(run.scale()),
                    seconds(run, LIMIT_OF_FAILOVERS)));
        }
        return Measurement.of(rows);
    }

    /** All rows of what grows, by contestant. */
    private static List<Row> growth(Run run, Growth growth) throws IOException, InterruptedException {
        List<Contestant> contestants = contestants(run.scale());
        List<Integer> sizes = growth.sizes(run.scale());
        Map<Contestant, List<Row>> rows = new EnumMap<>(Contestant.class);
        for (int i = 0; i < sizes.size(); i++) {
            for (Contestant contestant : Turns.of(contestants, i, sizes.size())) {
                rows.computeIfAbsent(contestant, one -> new ArrayList<>())
                        .add(full(run, growth, contestant, sizes.get(i)));
            }
        }
        return rows.values().stream()
                .flatMap(ofOne -> grown(ofOne, sizes).stream())
                .toList();
    }

    private static int seconds(Run run, int full) {
        return run.scale() == Scale.FULL ? full : LIMIT_OF_SMALL;
    }

    private static Row full(Run run, Growth growth, Contestant contestant, int size)
            throws IOException, InterruptedException {
        return ScaleRuns.full(
                run,
                growth.row(size, contestant),
                contestant,
                growth.cluster(size, run.scale()),
                seconds(run, ScaleRuns.MOST_SECONDS));
    }

    /**
     * The rows with how many times as much each of them costs as the first one, and the same of the logarithm of the
     * size.
     */
    static List<Row> grown(List<Row> rows, List<Integer> sizes) {
        List<Row> grown = new ArrayList<>();
        for (int i = 0; i < rows.size(); i++) {
            Row row = rows.get(i);
            for (String column : List.of(ScaleRun.HEARTBEAT, ScaleRun.APPLICATION)) {
                double times = row.median(column) / rows.get(0).median(column);
                if (Double.isFinite(times)) {
                    row = row.with(grows(column), times);
                }
            }
            grown.add(
                    row.figures().containsKey(ScaleRun.HEARTBEAT)
                            ? row.with(LOGARITHM, Math.log(sizes.get(i)) / Math.log(sizes.get(0)))
                            : row);
        }
        return grown;
    }
}
