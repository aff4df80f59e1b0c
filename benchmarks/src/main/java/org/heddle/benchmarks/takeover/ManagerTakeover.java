// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.takeover;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.heddle.benchmarks.program.PrintedTable;
import org.heddle.testkit.HadoopDefaults;
import org.heddle.testkit.ProcessCluster;

/**
 * Kills the active ResourceManager while a MapReduce job fills the cluster, and prints when what was there again, a
 * line of a table: {@code ManagerTakeover SCHEDULER MANAGERS}. With two managers the other one takes over; one alone is
 * started again at once.
 */
public final class ManagerTakeover {
    static final String NODES_BACK = "all nodes are back, s";
    static final String CONTAINER = "a new container, s";
    private static final String LOST = "containers lost";

    static final int NODES = 2;
    /** As many gigabytes as slots; the master takes two of them. */
    private static final int SLOTS_OF_A_NODE = 5;

    static final int RUNNING_MAPS = NODES * SLOTS_OF_A_NODE - 2;
    private static final int MAPS = 2 * RUNNING_MAPS;
    static final int ENDED_MAPS = 2;

    private ManagerTakeover() {}

    public static void main(String[] args) throws Exception {
        ComparedScheduler scheduler = ComparedScheduler.named(args[0]);
        boolean alone = args[1].equals("1");
        ProcessCluster.Builder plan =
                scheduler.cluster().nodes(NODES, SLOTS_OF_A_NODE * 1024, 8).properties(HadoopDefaults.all());
        if (alone) {
            plan.oneManager();
        }
        try (ProcessCluster cluster = plan.start()) {
            System.out.println(PrintedTable.of("what is killed", row(scheduler, alone), figures(cluster, alone)));
        }
        System.exit(0); // clients of Hadoop leave threads
    }

    static String row(ComparedScheduler scheduler, boolean alone) {
        return (alone ? "one ResourceManager, " : "two ResourceManagers, ") + scheduler;
    }

    private static Map<String, Double> figures(ProcessCluster cluster, boolean alone) throws Exception {
        HeldJob job = new HeldJob(cluster, MAPS);
        Set<String> before = job.awaitRunning(RUNNING_MAPS + 1);
        String active = cluster.awaitActiveManager();
        Timeline timeline = new Timeline();

        timeline.begin();
        cluster.daemon(active).kill();
        if (alone) {
            cluster.daemon(active).start();
        }
        Set<String> goOn = job.letGo(before, ENDED_MAPS);
        Map<String, Double> figures = timeline.await(
                List.of(TakeoverExperiment.LEADS, NODES_BACK, CONTAINER),
                Map.of(
                        TakeoverExperiment.LEADS,
                        () -> cluster.activeManager() != null,
                        NODES_BACK,
                        () -> cluster.metric("activeNodes") == NODES,
                        CONTAINER,
                        () -> !before.containsAll(job.containers())),
                cluster::tails);
        Set<String> lost = new HashSet<>(goOn);
        lost.removeAll(job.containers());
        figures.put(LOST, (double) lost.size());
        return figures;
    }
}
