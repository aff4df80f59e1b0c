// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.config.capacity;

import java.util.List;
import org.heddle.scheduler.config.KnownNames;

/** The share orders in place of CapacityScheduler's ordering policies. */
final class CapacityOrders {
    static final String PRIORITY = "priority";
    static final String ORDERING = "ordering-policy";

    private static final String FIFO = "fifo";
    private static final String FAIR = "fair";
    private static final List<String> OF_PARENTS = List.of("utilization", "priority-utilization");
    private static final List<String> OF_LEAVES = List.of(FIFO, FAIR, "fifo-with-partitions", "fifo-for-pending-apps");

    private final CapacityProperties properties;
    private final boolean memoryOnly;

    /** @param memoryOnly whether shares are shares of memory */
    CapacityOrders(CapacityProperties properties, boolean memoryOnly) {
        this.properties = properties;
        this.memoryOnly = memoryOnly;
    }

    /** The order that divides by capacity. */
    String usual() {
        return memoryOnly ? FAIR : "drf";
    }

    /** The users of a leaf share it by their weights. */
    String ofUsers() {
        return usual();
    }

    String ofParent(CapacityQueue queue, String above) {
        String key = queue.key(ORDERING);
        String policy = properties.get(key);
        if (policy == null || policy.isEmpty()) {
            return above;
        }
        switch (policy) {
            case "utilization" -> {
                return usual();
            }
            case "priority-utilization" -> {
                return PRIORITY;
            }
            default -> {
                properties.add(
                        key,
                        KnownNames.choices(policy, OF_PARENTS) + " in a queue with queues inside; classes of policies"
                                + " cannot be used here");
                return usual();
            }
        }
    }

    /** The order among the applications of one user of a leaf. */
    String ofApplications(CapacityQueue leaf) {
        String key = leaf.key(ORDERING);
        String policy = properties.get(key);
        String name = policy == null || policy.isEmpty() ? FIFO : policy.substring(policy.lastIndexOf('.') + 1);
        switch (name) {
            case FIFO, "FifoOrderingPolicy" -> {
                return FIFO;
            }
            case FAIR, "FairOrderingPolicy" -> {
                return usual();
            }
            case "fifo-with-partitions",
                    "FifoOrderingPolicyWithExclusivePartitions",
                    "fifo-for-pending-apps",
                    "FifoOrderingPolicyForPendingApps" -> {
                properties.warn(
                        key,
                        "counts as fifo: which application is next does not depend on labels, nor on whether"
                                + " its ApplicationMaster runs");
                return FIFO;
            }
            default -> {
                properties.add(
                        key,
                        KnownNames.choices(name, OF_LEAVES) + "; other classes of policies cannot be used here, but"
                                + " heddle-scheduler.xml knows more share orders and takes new ones");
                return FIFO;
            }
        }
    }
}
