// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.scale;

import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.heddle.benchmarks.program.PrintedTable;
import org.heddle.benchmarks.rm.Block;
import org.heddle.benchmarks.rm.Contestant;
import org.heddle.benchmarks.rm.DrivenManager;
import org.heddle.benchmarks.rm.RaceExperiment;
import org.heddle.benchmarks.rm.Standing;
import org.heddle.benchmarks.rm.Workload;

/**
 * What one scheduler costs in one full cluster: {@code ScaleRun NAME SCHEDULER NODES QUEUES APPLICATIONS TYPES BLOCKS
 * SEED SECONDS}. Prints a table of one line for each block, and one of how things stand then.
 */
public final class ScaleRun {
    static final String HEARTBEAT = "node heartbeat, us";
    static final String APPLICATION = "application added, us";

    /** Containers; the compiler needs as many. */
    private static final long WARM_UP = 60_000;
    /** Heartbeats of nodes in a block. */
    private static final int BLOCK = 20_000;

    private ScaleRun() {}

    public static void main(String[] args) throws IOException {
        TimeLimit.begin(Duration.ofSeconds(Integer.parseInt(args[8])));
        int nodes = Integer.parseInt(args[2]);
        Workload load = Workload.of(
                nodes,
                Integer.parseInt(args[3]),
                Integer.parseInt(args[4]),
                Integer.parseInt(args[5]),
                Math.max(1, BLOCK / nodes),
                Long.parseLong(args[7]));
        try (DrivenManager driven = new DrivenManager(Contestant.named(args[1]), load)) {
            driven.warmUp(Math.max(WARM_UP, 10L * nodes)); // the cluster is full then
            // First: what comes and leaves may leave something behind.
            long heapPerContainer = driven.heapPerContainer();
            double node = driven.nodeAddedAgain();
            double application = driven.applicationAddedAgain();
            double round = driven.roundMillis();
            driven.settle();
            for (int i = 0; i < Integer.parseInt(args[6]); i++) {
                Block block = driven.block();
                Map<String, Double> figures = new LinkedHashMap<>();
                figures.put(HEARTBEAT, block.nodeNanos() / 1e3 / load.nodes() / load.rounds());
                figures.put("p99, us", block.nodeTail() / 1e3);
                figures.put("allocate call, us", block.masterNanos() / 1e3 / load.applications() / load.rounds());
                figures.put("containers/s", 1e6 / block.microsPerContainer());
                figures.put(RaceExperiment.NODE, node);
                figures.put(APPLICATION, application);
                figures.put("round of a second, ms", round);
                figures.put("heap, bytes a node", (double) driven.heapPerNode());
                figures.put("heap, bytes an application", (double) driven.heapPerApplication());
                figures.put("heap, bytes a container", (double) heapPerContainer);
                System.out.println(PrintedTable.of("run", args[0], figures));
            }
            Standing standing = driven.standing();
            Map<String, Double> shares = new LinkedHashMap<>();
            shares.put(RaceExperiment.LEAST, standing.leastToMean());
            shares.put(RaceExperiment.CORES, standing.coresInUse());
            System.out.println(PrintedTable.of("run", args[0], shares));
        }
        System.exit(0); // threads of the ResourceManager may live on
    }
}
