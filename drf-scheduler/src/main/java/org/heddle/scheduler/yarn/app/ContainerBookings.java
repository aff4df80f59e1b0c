// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn.app;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.ExecutionType;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.QueueMetrics;
import org.apache.hadoop.yarn.util.resource.Resources;

/**
 * The partitions in which an attempt's containers count in the metrics of its queue, and corrections of these metrics.
 * The partition is a container's own label. Exceptions are stand-ins: temporary containers that Hadoop creates to
 * change other containers ({@code ContainerUpdateContext}). They have no label, or that of their node; the partition of
 * the node may have changed since the other container started. The maps are concurrent because Hadoop adds stand-ins
 * without the attempt's lock.
 */
final class ContainerBookings {
    private final String user;
    private final Map<ContainerId, String> others = new ConcurrentHashMap<>();

    /** Stand-ins for the released part of a container that shrank; they were never counted as containers. */
    private final Map<ContainerId, RMContainer> standIns = new ConcurrentHashMap<>();

    ContainerBookings(String user) {
        this.user = user;
    }

    String partitionOf(RMContainer container) {
        String other = others.isEmpty() ? null : others.get(container.getContainerId());
        return other == null ? container.getNodeLabelExpression() : other;
    }

    void setPartition(RMContainer container, String partition) {
        if (partition.equals(container.getNodeLabelExpression())) {
            others.remove(container.getContainerId());
        } else {
            others.put(container.getContainerId(), partition);
        }
    }

    /** The containers of an earlier attempt belong to this one now. */
    void takeOver(ContainerBookings before) {
        others.putAll(before.others);
    }

    void remove(ContainerId id) {
        if (!others.isEmpty()) {
            others.remove(id);
        }
    }

    void addStandIn(RMContainer standIn) {
        standIns.put(standIn.getContainerId(), standIn);
    }

    /** Removes a stand-in; false if the container is not a stand-in. */
    boolean removeStandIn(ContainerId id) {
        return standIns.remove(id) != null;
    }

    List<RMContainer> standIns() {
        return new ArrayList<>(standIns.values());
    }

    /** Counts a container in another partition of its queue. */
    void moveToPartition(QueueMetrics metrics, Resource size, String from, String to) {
        if (!from.equals(to)) {
            metrics.releaseResources(from, user, 1, size);
            metrics.allocateResources(to, user, 1, size, false);
        }
    }

    /** Subtracts the released part of a container that shrank. */
    void shrink(QueueMetrics metrics, Resource part, String partition) {
        metrics.releaseResources(partition, user, 1, part);
        // releaseResources also counts one container less, but the container still runs.
        metrics.allocateResources(partition, user, 1, Resources.none(), false);
    }

    /**
     * Corrects the metrics of two queues after Hadoop has moved a container. Hadoop moves its present size under its
     * label, even if the metrics never counted it: opportunistic containers, and the number of stand-ins.
     */
    void correctMoved(ContainerId id, RMContainer container, QueueMetrics from, QueueMetrics to) {
        Resource moved = container.getContainer().getResource();
        String label = container.getNodeLabelExpression();
        String booked = partitionOf(container);
        RMContainer standIn = standIns.get(id);
        if (standIn != null) {
            moveToQueue(moved, 1, label, to, from); // Hadoop keeps the one that shrinks in its place
            moveToQueue(standIn.getContainer().getResource(), 0, partitionOf(standIn), from, to);
        } else if (container.getExecutionType() == ExecutionType.OPPORTUNISTIC) {
            moveToQueue(moved, 1, label, to, from);
        } else if (!booked.equals(label)) {
            moveToQueue(moved, 1, label, to, from);
            moveToQueue(moved, 1, booked, from, to);
        }
    }

    private void moveToQueue(Resource size, int containers, String partition, QueueMetrics from, QueueMetrics to) {
        from.releaseResources(partition, user, containers, size);
        to.allocateResources(partition, user, containers, size, false);
    }
}
