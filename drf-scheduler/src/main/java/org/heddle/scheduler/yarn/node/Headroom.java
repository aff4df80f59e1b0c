// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn.node;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.server.resourcemanager.nodelabels.RMNodeLabelsManager;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerNode;
import org.heddle.scheduler.engine.Schedulable;
import org.heddle.scheduler.yarn.app.HeddleAttempt;
import org.heddle.scheduler.yarn.compat.ResourceVectors;
import org.heddle.scheduler.yarn.queue.HeddleQueue;
import org.heddle.scheduler.yarn.queue.LabelCapacities;

/**
 * The headroom of applications. Updated under the scheduler's lock; read without it, because every ApplicationMaster's
 * heartbeat reads it.
 *
 * <p>The headroom is the sum over the partitions that the application asks for (YARN: {@code
 * CapacityHeadroomProvider}). If the cluster has labels, the free resources of a partition are as of the last
 * heartbeats of its nodes.
 */
public final class Headroom {
    private record Seen(String partition, long[] free) {}

    private final ResourceVectors vectors;
    private final LabelCapacities capacities;
    private final Map<NodeId, Seen> nodes = new HashMap<>();
    private final Map<String, long[]> ofPartition = new ConcurrentHashMap<>();
    private volatile long[] ofCluster;

    public Headroom(ResourceVectors vectors, LabelCapacities capacities) {
        this.vectors = vectors;
        this.capacities = capacities;
        this.ofCluster = new long[vectors.size()];
    }

    /** Sets the free resources of the whole cluster. */
    public void cluster(long[] free) {
        ofCluster = free;
    }

    /** Records the free resources and the partition of a node. */
    public void look(HeddleNode node) {
        long[] free = vectors.of(node.getUnallocatedResource());
        Arrays.setAll(free, j -> Math.max(0, free[j]));
        Seen before = nodes.get(node.getNodeID());
        if (before != null && before.partition().equals(node.getPartition()) && Arrays.equals(before.free(), free)) {
            return;
        }
        forget(node);
        nodes.put(node.getNodeID(), new Seen(node.getPartition(), free));
        add(node.getPartition(), free, 1);
    }

    public void forget(HeddleNode node) {
        Seen before = nodes.remove(node.getNodeID());
        if (before != null) {
            add(before.partition(), before.free(), -1);
        }
    }

    private void add(String partition, long[] free, int sign) {
        ofPartition.compute(partition, (name, sum) -> {
            long[] changed = sum == null ? new long[free.length] : sum.clone();
            Arrays.setAll(changed, j -> changed[j] + sign * free[j]);
            return changed;
        });
    }

    /** The headroom of an attempt, without the nodes on its blacklist, within its limits and those above it. */
    public Resource of(HeddleAttempt attempt, List<SchedulerNode> unwanted) {
        Set<String> asked = attempt.askedPartitions();
        boolean labels = ofPartition.size() > 1 || !ofPartition.containsKey(RMNodeLabelsManager.NO_LABEL);
        long[] room = labels ? inPartitions(asked, attempt.application().leaf()) : ofCluster.clone();
        for (SchedulerNode node : unwanted) {
            if (!labels || asked.contains(node.getPartition())) {
                long[] there = vectors.of(node.getUnallocatedResource());
                Arrays.setAll(room, j -> Math.max(0, room[j] - there[j]));
            }
        }
        withinLimits(room, attempt.application().schedulable());
        return vectors.toResource(room);
    }

    private long[] inPartitions(Set<String> asked, HeddleQueue leaf) {
        long[] room = new long[vectors.size()];
        for (String partition : asked) {
            long[] free = ofPartition.get(partition);
            if (free != null) {
                long[] usable = free.clone();
                capacities.withinLimits(leaf, partition, usable);
                Arrays.setAll(room, j -> room[j] + usable[j]);
            }
        }
        return room;
    }

    /** Reduces free resources to what the limits of an application and all above it still allow. */
    static void withinLimits(long[] room, Schedulable schedulable) {
        for (Schedulable at = schedulable; at != null; at = at.parent()) {
            long[] limit = at.limit();
            if (limit != null) {
                for (int j = 0; j < room.length; j++) {
                    room[j] = Math.min(room[j], limit[j] - at.usage(j));
                }
            }
        }
        for (int j = 0; j < room.length; j++) {
            room[j] = Math.max(0, room[j]);
        }
    }
}
