// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.config.capacity;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.heddle.scheduler.model.Amounts;
import org.heddle.scheduler.model.Weights;
import org.jspecify.annotations.Nullable;

/** A queue of {@code capacity-scheduler.xml} while it is read. */
final class CapacityQueue {
    final String path;
    final @Nullable CapacityQueue parent;
    final List<CapacityQueue> children = new ArrayList<>();
    /** How many levels of queues are created in it for applications. */
    int newLevels;
    /** By label; the empty one is for nodes without a label. */
    final Map<String, Share> shares = new TreeMap<>();

    /**
     * What it has of the nodes with a label.
     *
     * @param written its capacity as the file says it
     * @param capacity what it is entitled to
     * @param limit the most that it may hold
     * @param hasLimit whether this is less than what the parent may hold
     * @param weight against its siblings
     * @param fixed its amounts, and its parts of what the amounts of its siblings leave; nothing where all are alike
     */
    record Share(
            CapacityAmount written,
            CapacityExtent capacity,
            CapacityExtent limit,
            boolean hasLimit,
            Weights weight,
            Amounts fixed) {
        static final Share ROOT = new Share(
                CapacityAmount.ALL,
                CapacityExtent.CLUSTER,
                CapacityExtent.CLUSTER,
                false,
                Weights.ONE,
                Amounts.UNLIMITED);
    }

    CapacityQueue(String path, @Nullable CapacityQueue parent) {
        this.path = path;
        this.parent = parent;
    }

    /** The key of one of its properties. */
    String key(String property) {
        return CapacityProperties.PREFIX + path + "." + property;
    }

    /** The key of a property for the nodes with a label. */
    String key(String label, String property) {
        return label.isEmpty() ? key(property) : key("accessible-node-labels." + label + "." + property);
    }

    String name() {
        return path.substring(path.lastIndexOf('.') + 1);
    }

    boolean isLeaf() {
        return children.isEmpty() && newLevels == 0 && !isRoot();
    }

    boolean isRoot() {
        return parent == null;
    }

    Share share(String label) {
        Share share = shares.get(label);
        return share == null ? Share.ROOT : share;
    }

    /** Whether queues are created in it, or in one below it, for applications. */
    boolean createsQueues() {
        return all().anyMatch(queue -> queue.newLevels > 0);
    }

    /** This queue and all below it, parents first. */
    Stream<CapacityQueue> all() {
        return Stream.concat(Stream.of(this), children.stream().flatMap(CapacityQueue::all));
    }
}
