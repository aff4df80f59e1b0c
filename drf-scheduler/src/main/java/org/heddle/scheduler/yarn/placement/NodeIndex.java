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
import org.apache.hadoop.yarn.server.resourcemanager.nodelabels.RMNodeLabelsManager;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.placement.AppPlacementAllocator;
import org.heddle.scheduler.engine.ContainerSize;
import org.heddle.scheduler.engine.RoomIndex;
import org.heddle.scheduler.yarn.compat.ResourceVectors;
import org.heddle.scheduler.yarn.node.HeddleNode;
import org.jspecify.annotations.Nullable;

/**
 * The nodes of the cluster by partition, rack and name, each partition and rack in order of load. A node tells when it
 * changes, which costs O(1); {@link #refresh} takes all changes over, O(log nodes) for each node that changed. Guarded
 * by the scheduler's lock, except that a node may tell its change from any thread.
 */
public final class NodeIndex {
    /** How many of the nodes that have got room are remembered. */
    private static final int MEMORY = 64;

    private final ResourceVectors vectors;
    private final RandomGenerator random;
    private final long heartbeatMillis;
    private final Map<NodeId, IndexedNode> nodes = new HashMap<>();
    private final Map<String, IndexedPartition> partitions = new HashMap<>();
    private final Map<String, List<IndexedNode>> byName = new HashMap<>();
    private final Queue<IndexedNode> changed = new ConcurrentLinkedQueue<>();
    private final IndexedNode[] grown = new IndexedNode[MEMORY];
    private long growths;
    private boolean unoffered;
    private long version;
    private @Nullable IndexedNode offering;

    /**
     * @param random for the balance of the index
     * @param heartbeatMillis the time in which every node sends a heartbeat, more than 0
     */
    public NodeIndex(ResourceVectors vectors, RandomGenerator random, long heartbeatMillis) {
        this.heartbeatMillis = heartbeatMillis;
        this.vectors = vectors;
        this.random = random;
    }

    void add(HeddleNode node, long nowMillis) {
        int resources = vectors.size();
        IndexedPartition partition = partitions.computeIfAbsent(
                node.getPartition(),
                name -> new IndexedPartition(
                        new RoomIndex<>(resources, random), resources, new HeadStart(heartbeatMillis, nowMillis)));
        RoomIndex<IndexedNode> rack =
                partition.racks().computeIfAbsent(node.getRackName(), name -> new RoomIndex<>(resources, random));
        IndexedNode added = new IndexedNode(node, vectors, partition, rack, nowMillis);
        added.enter();
        nodes.put(node.getNodeID(), added);
        byName.computeIfAbsent(node.getNodeName(), name -> new ArrayList<>(1)).add(added);
        node.watch(() -> touch(added));
        version++;
        noteGrowth(added);
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
        version++;
    }

    int size() {
        return nodes.size();
    }

    /** Another number than before if a node has come or gone. */
    long version() {
        return version;
    }

    @Nullable
    IndexedNode node(NodeId id) {
        return nodes.get(id);
    }

    /** The nodes of the partition that an ask is for; null if there are none. */
    @Nullable
    IndexedPartition partition(AppPlacementAllocator<?> wishes) {
        String name = wishes.getPrimaryRequestedNodePartition();
        return partitions.get(
                name == null || name.equals(RMNodeLabelsManager.ANY) ? RMNodeLabelsManager.NO_LABEL : name);
    }

    boolean hasRack(String name) {
        for (IndexedPartition partition : partitions.values()) {
            if (partition.racks().containsKey(name)) {
                return true;
            }
        }
        return false;
    }

    /** The nodes with a name: more than one if several NodeManagers run on a host. */
    List<IndexedNode> named(String name) {
        return byName.getOrDefault(name, List.of());
    }

    /** Whether a container fits on any node of a partition in which containers may be placed ahead of heartbeats. */
    boolean fits(ContainerSize size) {
        for (IndexedPartition partition : partitions.values()) {
            if (partition.headStart().isOpen() && partition.all().first(size, false) != RoomIndex.NONE) {
                return true;
            }
        }
        return false;
    }

    void beginPass(long nowMillis) {
        partitions.values().forEach(partition -> partition.begin(nowMillis));
    }

    /** The time in which every node sends a heartbeat. */
    long heartbeatMillis() {
        return heartbeatMillis;
    }

    void touch(IndexedNode node) {
        if (node.touched.compareAndSet(false, true)) {
            changed.add(node);
        }
    }

    /** Takes over what has changed on nodes. */
    void refresh() {
        for (IndexedNode node = changed.poll(); node != null; node = changed.poll()) {
            node.touched.set(false);
            if (nodes.get(node.node.getNodeID()) == node && node.read()) {
                noteGrowth(node);
            }
        }
    }

    private void noteGrowth(IndexedNode node) {
        grown[(int) (growths % MEMORY)] = node;
        growths++;
        if (node != offering) {
            unoffered = true;
        }
    }

    /** How often nodes have got room. */
    long growths() {
        return growths;
    }

    /** Whether it is known which nodes have got room since there were so many growths. */
    boolean remembersGrowth(long since) {
        return since >= 0 && growths - since <= MEMORY;
    }

    /** The node of one of the last growths; it may have gone since. */
    IndexedNode grown(long growth) {
        return grown[(int) (growth % MEMORY)];
    }

    /**
     * The room of a node is about to be offered at its heartbeat, so that what it gets until then is not left for a
     * pass.
     */
    void beginOffer(@Nullable IndexedNode node) {
        offering = node;
        refresh();
    }

    void endOffer() {
        refresh();
        offering = null;
    }

    /** Whether any node has more room than before {@link #forgetGrowth} and has not been offered. */
    boolean hasGrown() {
        return unoffered;
    }

    /** All nodes that have more room than before are about to be offered. */
    void forgetGrowth() {
        unoffered = false;
    }
}
