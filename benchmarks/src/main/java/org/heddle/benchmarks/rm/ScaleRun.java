// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.rm;

import java.io.IOException;
import java.time.Duration;
import java.util.Locale;

/**
 * What one scheduler costs in one full cluster: {@code ScaleRun NAME SCHEDULER NODES QUEUES APPLICATIONS TYPES BLOCKS SEED
 * SECONDS}. Prints a table with a line for each block.
 */
public final class ScaleRun {
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
            System.out.println(
                    "| run | node heartbeat, us | p99, us | allocate call, us | containers/s | node added, us"
                            + " | application added, us | round of a second, ms | heap, bytes a node | heap, bytes an application"
                            + " | heap, bytes a container |");
            System.out.println("|---|---|---|---|---|---|---|---|---|---|---|");
            for (int i = 0; i < Integer.parseInt(args[6]); i++) {
                Block block = driven.block();
                System.out.printf(
                        Locale.ROOT,
                        "| %s | %.2f | %.2f | %.3f | %.0f | %.2f | %.2f | %.2f | %d | %d | %d |%n",
                        args[0],
                        block.nodeNanos() / 1e3 / load.nodes() / load.rounds(),
                        block.nodeTail() / 1e3,
                        block.masterNanos() / 1e3 / load.applications() / load.rounds(),
                        1e6 / block.microsPerContainer(),
                        node,
                        application,
                        round,
                        driven.heapPerNode(),
                        driven.heapPerApplication(),
                        heapPerContainer);
            }
        }
        System.exit(0); // threads of the ResourceManager may live on
    }
}
