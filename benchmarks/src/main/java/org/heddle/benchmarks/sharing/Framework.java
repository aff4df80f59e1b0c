// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.sharing;

import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The frameworks that share the cluster. Each has a queue of its own, and all queues have equal weights. */
enum Framework {
    SPARK("Spark", "spark", 1),
    MAP_REDUCE("MapReduce", "mapreduce", 1),
    MPI("MPI", "mpi", (double) FrameworkWork.PROCESSES / SharesOverTime.SLOTS);

    private final String title;
    private final String queue;
    private final double most;

    Framework(String title, String queue, double most) {
        this.title = title;
        this.queue = queue;
        this.most = most;
    }

    /** The name in tables and pictures. */
    String title() {
        return title;
    }

    /** The queue below the root; frameworks on offers have a role of this name. */
    String queue() {
        return queue;
    }

    /** The largest part of the cluster that it uses, from 0 to 1. */
    double most() {
        return most;
    }

    /**
     * The max-min fair shares of some frameworks, from 0 to 1: equal parts of the cluster, and what one of them does
     * not use goes to the others in equal parts. Dominant resource fairness gives these when all need the same resource
     * most.
     */
    static Map<Framework, Double> fairShares(Set<Framework> present) {
        Map<Framework, Double> shares = new EnumMap<>(Framework.class);
        List<Framework> modestFirst = present.stream()
                .sorted(Comparator.comparingDouble(Framework::most))
                .toList();
        double left = 1;
        for (Framework framework : modestFirst) {
            double share = Math.min(framework.most(), left / (modestFirst.size() - shares.size()));
            shares.put(framework, share);
            left -= share;
        }
        return shares;
    }
}
