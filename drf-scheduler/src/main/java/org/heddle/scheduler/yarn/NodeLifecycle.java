// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn;

import java.util.Arrays;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.api.records.NodeAttribute;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainerEventType;
import org.apache.hadoop.yarn.server.resourcemanager.rmnode.RMNode;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.ClusterNodeTracker;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerUtils;
import org.heddle.scheduler.engine.ShareEngine;
import org.heddle.scheduler.model.Vectors;
import org.heddle.scheduler.yarn.app.HeddleAttempt;
import org.heddle.scheduler.yarn.compat.ResourceVectors;
import org.heddle.scheduler.yarn.node.Headroom;
import org.heddle.scheduler.yarn.node.HeddleNode;
import org.heddle.scheduler.yarn.node.NodeReservations;
import org.heddle.scheduler.yarn.placement.ImmediatePlacement;
import org.heddle.scheduler.yarn.preemption.Preemptor;
import org.heddle.scheduler.yarn.queue.QueueTree;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The cluster's nodes as they come, go and change, and what must hear of it: the engine's capacity, the limits that are
 * parts of it, rooms that are held, headrooms. Under the scheduler's lock. What a node that stays is offered at its
 * heartbeats: {@link NodeAllocation}.
 */
final class NodeLifecycle {
    private static final Logger LOG = LoggerFactory.getLogger(NodeLifecycle.class);

    private final SchedulerHost host;
    private final ClusterNodeTracker<HeddleNode> tracker;
    private final boolean usePortForNodeName;
    /**
     * If nodes have none, YARN's maps of nodes by label, which cost as much as all else for a new node, are not needed.
     */
    private final boolean labels;

    private final ShareEngine engine;
    private final QueueTree queues;
    private final ResourceVectors vectors;
    private final NodeReservations reservations;
    private final Preemptor preemptor;
    private final ImmediatePlacement placement;
    private final Headroom headroom;

    NodeLifecycle(
            SchedulerHost host,
            Configuration conf,
            QueueTree queues,
            NodeReservations reservations,
            Preemptor preemptor,
            ImmediatePlacement placement,
            Headroom headroom) {
        this.host = host;
        this.tracker = host.nodes();
        this.usePortForNodeName = conf.getBoolean(
                YarnConfiguration.RM_SCHEDULER_INCLUDE_PORT_IN_NODE_NAME,
                YarnConfiguration.DEFAULT_RM_SCHEDULER_USE_PORT_FOR_NODE_NAME);
        this.labels = YarnConfiguration.areNodeLabelsEnabled(conf)
                && host.resourceManager().getNodeLabelManager() != null;
        this.engine = queues.engine();
        this.queues = queues;
        this.vectors = queues.vectors();
        this.reservations = reservations;
        this.preemptor = preemptor;
        this.placement = placement;
        this.headroom = headroom;
        queues.limits().labels().setTotals(this::total);
    }

    private long[] total(String partition) {
        if (labels) {
            return vectors.of(host.resourceManager()
                    .getNodeLabelManager()
                    .getResourceByLabel(partition, tracker.getClusterCapacity()));
        }
        return new long[vectors.size()];
    }

    /** Containers that run on it have to be recovered next. */
    void add(RMNode rmNode) {
        HeddleNode node = new HeddleNode(rmNode, usePortForNodeName);
        tracker.addNode(node);
        placement.added(node, host.clocks().millis());
        headroom.look(node);
        if (labels) {
            host.resourceManager().getNodeLabelManager().activateNode(rmNode.getNodeID(), node.getTotalResource());
        }
        capacityChanged();
        LOG.info("Node {} added; cluster has {}", rmNode.getNodeID(), tracker.getClusterCapacity());
    }

    /** Its containers end as lost. */
    void remove(RMNode rmNode) {
        HeddleNode node = tracker.getNode(rmNode.getNodeID());
        if (node == null) {
            LOG.info("Node {} is gone already", rmNode.getNodeID());
            return;
        }
        for (RMContainer container : node.getCopiedListOfRunningContainers()) {
            host.end(container, SchedulerUtils.LOST_CONTAINER, RMContainerEventType.KILL);
            node.releaseContainer(container.getContainerId(), true);
        }
        reservations.release(node);
        preemptor.removed(node);
        headroom.forget(node);
        placement.removed(node);
        tracker.removeNode(rmNode.getNodeID());
        if (labels) {
            host.resourceManager().getNodeLabelManager().deactivateNode(rmNode.getNodeID());
        }
        capacityChanged();
        LOG.info("Node {} removed; cluster has {}", rmNode.getNodeID(), tracker.getClusterCapacity());
    }

    /** A node has more or less than before. */
    void resized(NodeId id) {
        capacityChanged();
        HeddleNode node = tracker.getNode(id);
        if (node != null) {
            reservations.releaseIfTooLarge(node);
            spareIfRoomAgain(node);
            headroom.look(node);
        }
    }

    /** A node that is not overcommitted any more keeps all its containers: what their masters were told is void. */
    void spareIfRoomAgain(HeddleNode node) {
        if (node.isMarked() && Vectors.fit(new long[vectors.size()], vectors.room(node.getUnallocatedResource()))) {
            node.setMarked(false);
            for (RMContainer container : node.getCopiedListOfRunningContainers()) {
                HeddleAttempt attempt = host.attempt(container.getContainerId());
                if (attempt != null) {
                    attempt.unmark(container.getContainerId());
                }
            }
        }
    }

    /** Nodes have other labels than before, and with that may be in other partitions. */
    void relabel(Map<NodeId, Set<String>> changes) {
        Set<String> partitions = new TreeSet<>();
        changes.forEach((id, labels) -> {
            HeddleNode node = tracker.getNode(id);
            if (node != null) {
                partitions.add(node.getPartition());
                reservations.release(node); // made in the partition that it leaves
                preemptor.removed(node);
                placement.removed(node);
                node.updateLabels(labels);
                placement.added(node, host.clocks().millis());
                headroom.look(node);
                partitions.add(node.getPartition());
            }
        });
        for (String partition : partitions) {
            Set<NodeId> ids = new HashSet<>();
            tracker.getNodes(node -> partition.equals(node.getPartition())).forEach(node -> ids.add(node.getNodeID()));
            tracker.updateNodesPerPartition(partition, ids);
        }
        queues.limits().changed();
    }

    void attributes(Map<String, Set<NodeAttribute>> ofHosts) {
        ofHosts.forEach((host, attributes) -> {
            for (NodeId id : tracker.getNodeIdsByResourceName(host)) {
                HeddleNode node = tracker.getNode(id);
                if (node != null) {
                    node.updateNodeAttributes(attributes);
                }
            }
        });
    }

    private void capacityChanged() {
        long[] capacity = vectors.of(tracker.getClusterCapacity());
        engine.setCapacity(capacity, tracker.nodeCount());
        queues.limits().changed();
        host.capacityChanged(capacity);
        publishRoot();
    }

    /** Reports the free resources of the whole cluster to the root's metrics and to ApplicationMasters. */
    void publishRoot() {
        long[] free = vectors.minus(tracker.getClusterCapacity(), engine.root());
        headroom.cluster(free);
        long[] available =
                Arrays.stream(free).map(amount -> Math.max(0, amount)).toArray();
        queues.root().getMetrics().setAvailableResourcesToQueue(vectors.toResource(available));
    }
}
