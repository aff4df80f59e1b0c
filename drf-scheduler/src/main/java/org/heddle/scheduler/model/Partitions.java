// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.model;

import java.util.Set;

/**
 * Which partitions of the cluster (YARN's node labels) applications of a queue may use.
 *
 * @param accessible their names; {@code *} for all. Nodes without a label are open to everyone
 * @param usual the partition of asks that name none; empty for nodes without a label
 */
public record Partitions(Set<String> accessible, String usual) {
    /** Every partition may be asked for; nodes without a label where none is. */
    public static final Partitions ALL = new Partitions(Set.of("*"), "");

    public Partitions {
        accessible = Set.copyOf(accessible);
    }

    public boolean allows(String partition) {
        return partition.isEmpty() || accessible.contains("*") || accessible.contains(partition);
    }
}
