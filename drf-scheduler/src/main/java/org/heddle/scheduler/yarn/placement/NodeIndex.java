// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn.placement;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.random.RandomGenerator;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.heddle.scheduler.engine.ContainerSize;
import org.heddle.scheduler.engine.RoomIndex;
import org.heddle.scheduler.yarn.node.HeddleNode;
import org.jspecify.annotations.Nullable;

/**
 * The nodes of the cluster by partition, rack and name, each partition and rack in order of load. A node tells when it
 * changes, which costs O(1); {@link #refresh} takes all changes over, O(log nodes) for each node that changed. Guarded by
 * the scheduler's lock, except that a node may tell its change from any thread.
 */
final class NodeIndex {
    /** The nodes of one partition. */
    record Partition(RoomIndex<IndexedNode> all, Map<String, RoomIndex<IndexedNode>> racks) {}

    private final int resources;
    private final RandomGenerator random;
    private final Map<NodeId, IndexedNode> nodes = new HashMap<>();
    private final Map<String, Partition> partitions = new HashMap<>();
    private final Map<String, List<IndexedNode>> byName = new HashMap<>();
    private final Queue<IndexedNode> changed = new ConcurrentLinkedQueue<>();
    private boolean grown;

    NodeIndex(int resources, RandomGenerator random) {
        this.resources = resources;
        this.random = random;
    }

    void add(HeddleNode node, long nowMillis) {
        Partition partition = partitions.computeIfAbsent(
                node.getPartition(), name -> new Partition(new RoomIndex<>(resources, random), new HashMap<>()));
        RoomIndex<IndexedNode> rack =
                partition.racks().computeIfAbsent(node.getRackName(), name -> new RoomIndex<>(resources, random));
        IndexedNode added = new IndexedNode(node, resources, partition.all(), rack, nowMillis);
        added.enter();
        nodes.put(node.getNodeID(), added);
        byName.computeIfAbsent(node.getNodeName(), name -> new ArrayList<>(1)).add(added);
        node.watch(() -> touch(added));
        grown = true;
    }

    void remove(HeddleNode node) {
        node.watch(null);
        IndexedNode removed = nodes.remove(node.getNodeID());
        if (removed == null) {
            return;
        }
        removed.leave();
        removed.touched.set(true); // ignored from now on
        changed.remove(removed);
        byName.computeIfPresent(node.getNodeName(), (name, same) -> {
            same.remove(removed);
            return same.isEmpty() ? null : same;
        });
        partitions.values().forEach(partition -> partition.racks().values().removeIf(rack -> rack.size() == 0));
        partitions.values().removeIf(partition -> partition.all().size() == 0);
    }

    @Nullable
    IndexedNode node(NodeId id) {
        return nodes.get(id);
    }

    /** The nodes of a partition; null if there are none. */
    @Nullable
    Partition partition(String name) {
        return partitions.get(name);
    }

    /** The nodes with a name: more than one if several NodeManagers run on a host. */
    List<IndexedNode> named(String name) {
        return byName.getOrDefault(name, List.of());
    }

    /** Whether a container fits on any node. */
    boolean fits(ContainerSize size) {
        for (Partition partition : partitions.values()) {
            if (partition.all().first(size, false) != RoomIndex.NONE) {
                return true;
            }
        }
        return false;
    }

    void touch(IndexedNode node) {
        if (node.touched.compareAndSet(false, true)) {
            changed.add(node);
        }
    }

    /** Takes over what has changed on nodes. */
    void refresh() {
        refresh(null);
    }

    /**
     * Takes over what has changed on nodes.
     *
     * @param offered a node whose room has been offered already, so that it does not count as grown; null for none
     */
    void refresh(@Nullable IndexedNode offered) {
        for (IndexedNode node = changed.poll(); node != null; node = changed.poll()) {
            node.touched.set(false);
            if (nodes.get(node.node.getNodeID()) == node) {
                boolean more = node.read();
                grown |= more && node != offered;
            }
        }
    }

    /** Whether any node has more room than before {@link #forgetGrowth}. */
    boolean hasGrown() {
        return grown;
    }

    /** All nodes that have more room than before are about to be offered. */
    void forgetGrowth() {
        grown = false;
    }
}
