// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.rm;

import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/**
 * What we want to reach at a size, against the floor of the same run.
 *
 * @param cost per container, must
 * @param costAim per container, aim
 * @param tail 99th percentile of node heartbeats, must
 * @param jain over the users, must
 * @param leastToMean must
 * @param cores in use, must
 * @param newcomer containers freed for each it got, must
 */
record Goals(double cost, double costAim, double tail, double jain, double leastToMean, double cores, double newcomer) {
    private static final double NODE_ADDED_MICROS = 40;

    private static final Map<String, Goals> OF = Map.of(
            "1k", new Goals(1.35, 1.15, 1.4, 0.9999, 0.98, 0.76, 1.5),
            "5k", new Goals(1.4, 1.15, 1.4, 0.9999, 0.98, 0.75, 1.5),
            "10k", new Goals(1.5, 1.25, 1.5, 0.999, 0.93, 0.65, 3));

    /** A line for each goal; nothing where the size has none. */
    static String of(String size, WorkerProcess ours, WorkerProcess floor, double cost) {
        Goals goals = OF.get(size);
        if (goals == null) {
            return "";
        }
        RunSummary summary = Objects.requireNonNull(ours.summary);
        double tail = ours.medianMicros(Block::nodeTail) / floor.medianMicros(Block::nodeTail);
        return "\n| goal | wanted | seen | |\n|---|---|---|---|\n"
                + atMost("cost of a container, x floor, upper bound", goals.cost, cost)
                + atMost("the same, aim", goals.costAim, cost)
                + atMost("node heartbeat p99, x floor", goals.tail, tail)
                + atLeast("Jain's index over users", goals.jain, summary.jain())
                + atLeast("least share / mean", goals.leastToMean, summary.leastToMean())
                + atLeast("cores in use", goals.cores, summary.coresInUse())
                + atMost("nodes with room for an ask and no reservation", 0, summary.nodesWithRoom())
                + atMost("newcomer: freed for each it got", goals.newcomer, summary.newcomer())
                + atMost("node added, us", NODE_ADDED_MICROS, summary.nodeAddedMicros());
    }

    private static String atMost(String what, double wanted, double seen) {
        return line(what, "<= " + wanted, seen, seen <= wanted);
    }

    private static String atLeast(String what, double wanted, double seen) {
        return line(what, ">= " + wanted, seen, seen >= wanted);
    }

    private static String line(String what, String wanted, double seen, boolean met) {
        return String.format(Locale.ROOT, "| %s | %s | %.5g | %s |%n", what, wanted, seen, met ? "met" : "MISSED");
    }
}
