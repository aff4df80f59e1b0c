// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn;

import java.io.IOException;
import org.apache.hadoop.yarn.server.resourcemanager.RMContext;
import org.apache.hadoop.yarn.server.resourcemanager.nodelabels.RMNodeLabelsManager;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.ClusterNodeTracker;
import org.heddle.scheduler.engine.ShareEngine;
import org.heddle.scheduler.model.SchedulerSpec;
import org.heddle.scheduler.yarn.compat.ResourceVectors;
import org.heddle.scheduler.yarn.node.ContainerAllocator;
import org.heddle.scheduler.yarn.node.HeddleNode;
import org.heddle.scheduler.yarn.node.MinimumOffers;
import org.heddle.scheduler.yarn.node.NodeReservations;
import org.heddle.scheduler.yarn.preemption.Preemptor;
import org.heddle.scheduler.yarn.queue.QueueTree;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What follows from a node's heartbeat: first those for whom it is held get what they were promised, then everybody in
 * the engine's order, and at last it may be held for somebody who needs more than it has left. Under the scheduler's
 * lock; on the path of every heartbeat.
 */
final class NodeAllocation {
    private static final Logger LOG = LoggerFactory.getLogger(NodeAllocation.class);

    private final ShareEngine engine;
    private final QueueTree queues;
    private final ResourceVectors vectors;
    private final NodeReservations reservations;
    private final Preemptor revocations;
    private final MinimumOffers minimumOffers;
    private final ContainerAllocator pass;
    private final ClusterNodeTracker<HeddleNode> tracker;
    private final RMContext context;
    private long placed;

    NodeAllocation(
            ShareEngine engine,
            QueueTree queues,
            ResourceVectors vectors,
            NodeReservations reservations,
            Preemptor revocations,
            MinimumOffers minimumOffers,
            ContainerAllocator pass,
            ClusterNodeTracker<HeddleNode> tracker,
            RMContext context) {
        this.engine = engine;
        this.queues = queues;
        this.vectors = vectors;
        this.reservations = reservations;
        this.revocations = revocations;
        this.minimumOffers = minimumOffers;
        this.pass = pass;
        this.tracker = tracker;
        this.context = context;
    }

    /** Containers placed since start. */
    long placed() {
        return placed;
    }

    /** A container was placed without an offer of its node. */
    void placedElsewhere() {
        placed++;
    }

    /**
     * Offers a node what room it has. Asks that changed have been taken over.
     *
     * @param now ms since 1970
     */
    void offer(HeddleNode node, long now) {
        queues.limits().refresh();
        SchedulerSpec spec = queues.spec();
        if (revocations.serve(node, spec.maxAssign(), now, () -> placed++)) {
            return;
        }
        pass.on(node, spec.waits(), now).under(spec.rules(), tracker.nodeCount());
        NodeReservations.Outcome outcome = reservations.keep(node, pass, spec.waits(), now);
        if (outcome == NodeReservations.Outcome.HELD) {
            return;
        }
        int served = outcome == NodeReservations.Outcome.SERVED ? 1 : 0;
        long[] free = vectors.of(node.getUnallocatedResource());
        if (served == 0 && minimumOffers.holdsBack(node, free, spec.rules().minimumOffer())) {
            return;
        }
        served += engine.offer(free, spec.maxAssign() - served, now, pass);
        if (isShared(node)) {
            // nobody who asks for this partition can use what is left
            free = vectors.of(node.getUnallocatedResource());
            served += engine.offer(free, spec.maxAssign() - served, now, pass.onShared(node, spec.waits(), now));
            pass.on(node, spec.waits(), now);
        }
        placed += served;
        if (outcome != NodeReservations.Outcome.GIVEN_BACK) {
            reservations.consider(node, pass, spec.waits(), tracker.nodeCount(), now);
        }
    }

    /** Whether a node's partition lends its idle rest to asks for nodes without a label. */
    private boolean isShared(HeddleNode node) {
        String partition = node.getPartition();
        try {
            return !RMNodeLabelsManager.NO_LABEL.equals(partition)
                    && context.getNodeLabelManager() != null
                    && !context.getNodeLabelManager().isExclusiveNodeLabel(partition);
        } catch (IOException e) {
            LOG.warn("Node {} has the unknown label {}: {}", node.getNodeID(), partition, e.getMessage());
            return false;
        }
    }
}
