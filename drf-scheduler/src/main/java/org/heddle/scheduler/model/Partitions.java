// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.model;

import java.util.Map;
import java.util.Set;

/**
 * Which partitions of the cluster (YARN's node labels) applications of a queue may use, and how much of them.
 *
 * @param accessible their names; {@code *} for all. Nodes without a label are open to everyone
 * @param usual the partition of asks that name none; empty for nodes without a label
 * @param capacities by label, what the queue gets of the partition
 */
public record Partitions(Set<String> accessible, String usual, Map<String, LabelCapacity> capacities) {
    /** Every partition may be asked for; nodes without a label where none is. */
    public static final Partitions ALL = new Partitions(Set.of("*"), "", Map.of());

    public Partitions {
        accessible = Set.copyOf(accessible);
        capacities = Map.copyOf(capacities);
    }

    public boolean allows(String partition) {
        return partition.isEmpty() || accessible.contains("*") || accessible.contains(partition);
    }
}
