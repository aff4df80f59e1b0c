// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.takeover;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Predicate;
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

/** {@link BridgeTakeover} and {@link ManagerTakeover}: what a kill costs, with a standby and without one. */
public final class TakeoverExperiment implements Experiment {
    static final String LEADS = "leads, s";
    private static final List<String> WITH_AND_WITHOUT_STANDBY = List.of("2", "1");

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
                        + " 45 s; and a ResourceManager allocates nothing in its first 10 s. Only ZooKeeper's tick is shorter than"
                        + " usual, 0.5 s, so sessions end more punctually. The state of the ResourceManager is in ZooKeeper. The"
                        + " schedulers have one queue and otherwise their defaults, and take turns in each repetition.");
    }

    @Override
    public Effort effort() {
        return Effort.quiet(35, 3);
    }

    @Override
    public Bands bands() {
        return new Bands(
                new Band(0.5, 1),
                Map.of(ManagerTakeover.NODES_BACK, new Band(0.5, 30), ManagerTakeover.CONTAINER, new Band(0.5, 30)));
    }

    @Override
    public Measurement run(Run run) throws IOException, InterruptedException {
        List<String> lines = new ArrayList<>(new ChildProgram(
                        BridgeTakeover.class, "512m", String.valueOf(run.seeds().size()))
                .lines(run));
        for (int i = 0; i < run.seeds().size(); i++) {
            List<ComparedScheduler> turns = new ArrayList<>(List.of(ComparedScheduler.values()));
            Collections.rotate(turns, i);
            for (String managers : WITH_AND_WITHOUT_STANDBY) {
                for (ComparedScheduler scheduler : turns) {
                    lines.addAll(
                            new ChildProgram(ManagerTakeover.class, "512m", scheduler.toString(), managers).lines(run));
                }
            }
        }
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
