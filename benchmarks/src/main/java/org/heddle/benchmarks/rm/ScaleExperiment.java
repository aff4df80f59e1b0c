// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.rm;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.heddle.benchmarks.experiment.Band;
import org.heddle.benchmarks.experiment.Bands;
import org.heddle.benchmarks.experiment.Description;
import org.heddle.benchmarks.experiment.Effort;
import org.heddle.benchmarks.experiment.Experiment;
import org.heddle.benchmarks.experiment.Measurement;
import org.heddle.benchmarks.experiment.Paper;
import org.heddle.benchmarks.experiment.Row;
import org.heddle.benchmarks.experiment.Run;
import org.heddle.benchmarks.experiment.Scale;
import org.heddle.benchmarks.program.ChildProgram;
import org.heddle.benchmarks.program.PrintedTable;

/** How costs grow with nodes, queues, applications and resource types, and how long a failover takes. */
public final class ScaleExperiment implements Experiment {
    private static final String HEARTBEAT = "node heartbeat, us";
    private static final String APPLICATION = "application added, us";
    private static final String GROWS = ", x the first row";
    private static final String LIMIT = "not done after, s";
    private static final int LIMIT_OF_COSTS = 240;
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

        /** Nodes, queues, applications and resource types, as the program takes them. */
        List<String> arguments(int size, Scale scale) {
            int manyApplications = what.equals(QUEUES) && scale == Scale.FULL ? 10_000 : 1_000;
            return Stream.of(
                            what.equals(NODES) ? size : 1_000,
                            what.equals(QUEUES) ? size : 100,
                            what.equals(APPLICATIONS) ? size : manyApplications,
                            what.equals(TYPES) ? size : 2)
                    .map(String::valueOf)
                    .toList();
        }
    }

    private static final List<Growth> GROWTHS = List.of(
            new Growth(NODES, List.of(), List.of(1_000, 5_000, 20_000, 50_000)),
            new Growth(QUEUES, List.of(100, 1_000), List.of(100, 1_000, 10_000)),
            new Growth(APPLICATIONS, List.of(), List.of(200, 2_000, 20_000)),
            new Growth(TYPES, List.of(10), List.of(2, 4, 10)));

    /** Nodes, queues and applications. */
    private static final int[][] FAILOVERS = {{1_000, 100, 1_000}, {10_000, 100, 1_000}, {50_000, 100, 1_000}};

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
                        + " In a failover a standby in a process of its own becomes active and recovers all applications from a"
                        + " store in memory; then all nodes register with eight containers each through its service, without"
                        + " network, as fast as it takes them: wall time, and CPU time of two of its threads. The floor is a"
                        + " scheduler of ours that chooses nothing and recovers nothing. Processes have 8 GB; a run of more"
                        + " than four minutes is ended, a failover after ten. The goals: no cost grows faster than the logarithm of what grows, and a node"
                        + " is added in 20 us.");
    }

    @Override
    public Effort effort() {
        return Effort.quiet(110, 3);
    }

    @Override
    public Bands bands() {
        return new Bands(Band.within(0.5), Map.of("node added, us", new Band(0.5, 5)));
    }

    private static List<Contestant> contestants(Scale scale) {
        return scale == Scale.QUICK
                ? List.of(Contestant.HEDDLE)
                : List.of(Contestant.FLOOR, Contestant.HEDDLE, Contestant.FAIR, Contestant.CAPACITY);
    }

    @Override
    public Measurement run(Run run) throws IOException, InterruptedException {
        List<Row> rows = new ArrayList<>();
        for (Growth growth : GROWTHS) {
            for (Contestant contestant : contestants(run.scale())) {
                List<Row> grown = new ArrayList<>();
                for (int size : growth.sizes(run.scale())) {
                    grown.add(full(run, growth, contestant, size));
                }
                rows.addAll(grown(grown, growth.sizes(run.scale())));
            }
        }
        int failovers = run.scale() == Scale.FULL ? FAILOVERS.length : 1;
        for (int i = 0; i < failovers; i++) {
            for (Contestant contestant : contestants(run.scale())) {
                if (contestant != Contestant.FLOOR) { // it recovers nothing
                    rows.add(failover(run, contestant, FAILOVERS[i]));
                }
            }
        }
        return Measurement.of(rows);
    }

    private static int seconds(Run run, int full) {
        return run.scale() == Scale.FULL ? full : LIMIT_OF_SMALL;
    }

    private static Row full(Run run, Growth growth, Contestant contestant, int size)
            throws IOException, InterruptedException {
        String name = String.format(Locale.ROOT, "%,d %s, %s", size, growth.what(), contestant);
        List<String> arguments = new ArrayList<>(List.of(name, contestant.toString()));
        arguments.addAll(growth.arguments(size, run.scale()));
        arguments.add(String.valueOf(run.seeds().size()));
        arguments.add(String.valueOf(run.seeds().get(0)));
        arguments.add(String.valueOf(seconds(run, LIMIT_OF_COSTS)));
        return row(run, name, new ChildProgram(ScaleRun.class, "8g", arguments));
    }

    /** Each repetition is a process of its own: a standby that becomes active has compiled nothing. */
    private static Row failover(Run run, Contestant contestant, int[] cluster)
            throws IOException, InterruptedException {
        String name = String.format(
                Locale.ROOT, "failover of %,d nodes and %,d applications, %s", cluster[0], cluster[2], contestant);
        List<String> lines = new ArrayList<>();
        for (int i = 0; i < run.seeds().size(); i++) {
            ChildProgram.Output output = new ChildProgram(
                            FailoverRun.class,
                            "8g",
                            name,
                            contestant.toString(),
                            String.valueOf(cluster[0]),
                            String.valueOf(cluster[1]),
                            String.valueOf(cluster[2]),
                            String.valueOf(seconds(run, LIMIT_OF_FAILOVERS)))
                    .output(run);
            if (output.exitCode() != 0) {
                return unfinished(run, name, output, seconds(run, LIMIT_OF_FAILOVERS));
            }
            lines.addAll(output.lines());
        }
        return PrintedTable.rows(lines, 1).get(0);
    }

    private static Row row(Run run, String name, ChildProgram program) throws IOException, InterruptedException {
        ChildProgram.Output output = program.output(run);
        return output.exitCode() == 0
                ? PrintedTable.rows(output.lines(), 1).get(0)
                : unfinished(run, name, output, seconds(run, LIMIT_OF_COSTS));
    }

    /** @throws IOException if it did not end because of the limit */
    private static Row unfinished(Run run, String name, ChildProgram.Output output, int seconds) throws IOException {
        if (output.exitCode() != TimeLimit.EXIT_CODE) {
            throw new IOException(name + " ended with exit code " + output.exitCode() + ": see " + run.scratch());
        }
        return Row.of(name).with(LIMIT, seconds);
    }

    /** The rows with how many times as much each of them costs as the first one, and the same of the logarithm of the size. */
    static List<Row> grown(List<Row> rows, List<Integer> sizes) {
        List<Row> grown = new ArrayList<>();
        for (int i = 0; i < rows.size(); i++) {
            Row row = rows.get(i);
            for (String column : List.of(HEARTBEAT, APPLICATION)) {
                double times = row.median(column) / rows.get(0).median(column);
                if (Double.isFinite(times)) {
                    row = row.with(column.replace(", us", GROWS), times);
                }
            }
            grown.add(
                    row.figures().containsKey(LIMIT)
                            ? row
                            : row.with("log" + GROWS, Math.log(sizes.get(i)) / Math.log(sizes.get(0))));
        }
        return grown;
    }
}
