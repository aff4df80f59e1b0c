// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.takeover;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.heddle.benchmarks.experiment.Band;
import org.heddle.benchmarks.experiment.Bands;
import org.heddle.benchmarks.experiment.Description;
import org.heddle.benchmarks.experiment.Effort;
import org.heddle.benchmarks.experiment.Experiment;
import org.heddle.benchmarks.experiment.Measurement;
import org.heddle.benchmarks.experiment.Paper;
import org.heddle.benchmarks.experiment.Plot;
import org.heddle.benchmarks.experiment.Row;
import org.heddle.benchmarks.experiment.Run;
import org.heddle.benchmarks.program.ChildProgram;
import org.heddle.benchmarks.program.PrintedTable;
import org.heddle.benchmarks.program.Repetitions;

/** {@link BridgeTakeover} and {@link ManagerTakeover}: what a kill costs, with a standby and without one. */
public final class TakeoverExperiment implements Experiment {
    static final String LEADS = "leads, s";

    /** For all repetitions: a cluster starts in a minute, and a kill takes another one. */
    private static final Duration LIMIT_OF_BRIDGES = Duration.ofHours(1);

    /** For one kill: nodes and masters may wait for 45 s three times, when the cluster starts and after the kill. */
    private static final Duration LIMIT_OF_MANAGERS = Duration.ofMinutes(20);

    /**
     * A ResourceManager that is killed.
     *
     * @param alone whether there is no standby
     */
    private record KilledManager(ComparedScheduler scheduler, boolean alone) {
        ChildProgram program() {
            return new ChildProgram(ManagerTakeover.class, "512m", scheduler.toString(), alone ? "1" : "2")
                    .within(LIMIT_OF_MANAGERS);
        }

        @Override
        public String toString() {
            return ManagerTakeover.row(scheduler, alone);
        }
    }

    private static final List<KilledManager> MANAGERS = Stream.of(false, true)
            .flatMap(alone ->
                    Arrays.stream(ComparedScheduler.values()).map(scheduler -> new KilledManager(scheduler, alone)))
            .toList();

    @Override
    public Description description() {
        return new Description(
                "takeover",
                "How long a takeover and a restart take",
                Paper.NONE,
                "",
                List.of(),
                "No paper has this: daemons are processes on one machine, with small heaps and only the first of Java's"
                        + " compilers. One of them is killed with SIGKILL, and all times count from the kill. Without a standby the"
                        + " killed process is started again at once. Bridges: a framework has " + SteadyFramework.TASKS
                        + " running tasks and launches one short task after the other, and "
                        + String.format(Locale.ROOT, "%,d", BridgeTakeover.UNFINISHED)
                        + " connections never finish a request. HDFS has three DataNodes, and the election is in ZooKeeper; the"
                        + " settings of bridge and HDFS are the defaults, so a session of the bridge in ZooKeeper lasts 2 s."
                        + " The framework reconciles its running tasks as soon as it is connected again. ResourceManagers: a"
                        + " MapReduce job fills " + ManagerTakeover.NODES + " nodes with its master and "
                        + ManagerTakeover.RUNNING_MAPS + " maps and wants more; "
                        + ManagerTakeover.ENDED_MAPS + " maps end right after the kill. A container is new when the"
                        + " ResourceManager has allocated it. Nodes and masters find the other ResourceManager with Hadoop's"
                        + " default waits: a session of a ResourceManager lasts 10 s; between two attempts to connect to a"
                        + " pair, which go to one and the other in turn, each node and master waits for a random time from 15 to"
                        + " 45 s, except after the first one; one alone is tried once a second for ten seconds, and again after"
                        + " 30 s; and a ResourceManager allocates nothing in its first 10 s. Only ZooKeeper's tick is shorter than"
                        + " usual, 0.5 s, so sessions end more punctually. The state of the ResourceManager is in ZooKeeper. The"
                        + " schedulers have one queue and otherwise their defaults. Schedulers, with a standby and without, take turns in each"
                        + " repetition.");
    }

    @Override
    public Effort effort() {
        return Effort.quiet(25, 2);
    }

    @Override
    public Bands bands() {
        return new Bands(
                new Band(0.5, 1),
                Map.of(ManagerTakeover.NODES_BACK, new Band(0.5, 30), ManagerTakeover.CONTAINER, new Band(0.5, 30)));
    }

    @Override
    public Measurement run(Run run) throws IOException, InterruptedException {
        ChildProgram bridges = new ChildProgram(
                        BridgeTakeover.class, "512m", String.valueOf(run.seeds().size()))
                .within(LIMIT_OF_BRIDGES);
        List<String> lines = new ArrayList<>(bridges.lines(run));
        lines.addAll(Repetitions.lines(run, MANAGERS, KilledManager::program));
        return Measurement.of(PrintedTable.rows(lines, 1));
    }

    @Override
    public List<Plot> plots(Measurement measurement) {
        Predicate<Row> ofManagers = row -> row.figures().containsKey(ManagerTakeover.CONTAINER);
        return List.of(
                Plot.bars(
                        measurement.only(ofManagers.negate()),
                        "bridge",
                        "Since the kill of a bridge",
                        "seconds",
                        LEADS,
                        SteadyFramework.BACK,
                        SteadyFramework.RECONCILED,
                        SteadyFramework.OFFER,
                        SteadyFramework.TASK),
                Plot.bars(
                        measurement.only(ofManagers),
                        "resource-manager",
                        "Since the kill of a ResourceManager",
                        "seconds",
                        LEADS,
                        ManagerTakeover.NODES_BACK,
                        ManagerTakeover.CONTAINER));
    }
}
