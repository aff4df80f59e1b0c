// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn;

import java.util.function.IntSupplier;
import org.heddle.scheduler.engine.NodeRoom;
import org.heddle.scheduler.engine.ShareEngine;
import org.heddle.scheduler.model.SchedulerSpec;
import org.heddle.scheduler.yarn.compat.ResourceVectors;
import org.heddle.scheduler.yarn.node.ContainerAllocator;
import org.heddle.scheduler.yarn.node.Feasibility;
import org.heddle.scheduler.yarn.node.HeartbeatOffer;
import org.heddle.scheduler.yarn.node.HeddleNode;
import org.heddle.scheduler.yarn.node.NodeReservations;
import org.heddle.scheduler.yarn.preemption.Preemptor;
import org.heddle.scheduler.yarn.queue.QueueTree;

/**
 * The allocation after a node's heartbeat: first the reservations and pending preemptions for which the node is kept
 * are served, then queues below their guarantee on the node's partition, then all asks in the engine's order: first
 * those that wait for no other node, then those that would wait for nodes without room. At the end the node may be
 * reserved for an ask that does not fit. The caller holds the scheduler's lock. Runs at every heartbeat.
 */
final class NodeAllocation {
    private final ShareEngine engine;
    private final QueueTree queues;
    private final ResourceVectors vectors;
    private final NodeReservations reservations;
    private final Preemptor preemptor;
    private final Feasibility feasibility;
    private final ContainerAllocator allocator;
    private final IntSupplier nodeCount;
    private final LabelGuarantees guarantees;
    private final NodeRoom rest = new NodeRoom();
    private long placed;

    NodeAllocation(
            QueueTree queues,
            NodeReservations reservations,
            Preemptor preemptor,
            Feasibility feasibility,
            ContainerAllocator allocator,
            IntSupplier nodeCount) {
        this.engine = queues.engine();
        this.queues = queues;
        this.vectors = queues.vectors();
        this.reservations = reservations;
        this.preemptor = preemptor;
        this.feasibility = feasibility;
        this.allocator = allocator;
        this.nodeCount = nodeCount;
        this.guarantees = new LabelGuarantees(engine, queues.limits().labels());
    }

    /** Containers placed since start. */
    long placed() {
        return placed;
    }

    /** Containers were placed without an offer of their nodes. */
    void placedElsewhere(int containers) {
        placed += containers;
    }

    /**
     * Offers a node what room it has. Asks that changed have been taken over.
     *
     * @param now ms since 1970
     * @return number of containers placed
     */
    int offer(HeddleNode node, long now) {
        long before = placed;
        allocate(node, now);
        return (int) (placed - before);
    }

    private void allocate(HeddleNode node, long now) {
        queues.limits().refresh();
        SchedulerSpec spec = queues.spec();
        if (preemptor.serve(node, spec.maxAssign(), now, () -> placed++)) {
            return;
        }
        HeartbeatOffer offer = new HeartbeatOffer(allocator, node, spec, now);
        NodeReservations.Kept kept = reservations.keep(node, offer, now);
        NodeReservations.Outcome outcome = kept.outcome();
        if (outcome == NodeReservations.Outcome.HELD) {
            backfill(node, kept, offer, spec.maxAssign());
            return;
        }
        int served = outcome == NodeReservations.Outcome.SERVED ? 1 : 0;
        long[] free = vectors.room(node.getUnallocatedResource());
        if (served == 0 && feasibility.holdsBack(node, free)) {
            return;
        }
        reservations.beginPass(now);
        served += guarantees.offer(node.getPartition(), free, spec.maxAssign() - served, offer.filling(free));
        served += engine.offer(free, spec.maxAssign() - served, now, offer.filling(free));
        served += offerRest(node, offer, spec.maxAssign() - served);
        if (feasibility.lendsItsRest(node)) {
            // no ask for this partition can use what is left
            free = vectors.room(node.getUnallocatedResource());
            served += engine.offer(free, spec.maxAssign() - served, now, offer.lending(free));
            served += offerRest(node, offer, spec.maxAssign() - served);
        }
        placed += served;
        reservations.endPass();
        if (outcome != NodeReservations.Outcome.GIVEN_BACK) {
            reservations.consider(node, offer, nodeCount.getAsInt(), now);
        }
    }

    /** The free room of a reserved node is for containers that end before it is needed. */
    private void backfill(HeddleNode node, NodeReservations.Kept kept, HeartbeatOffer offer, int most) {
        if (kept.backfillMillis() == 0) {
            return;
        }
        reservations.beginBackfill(node, kept);
        try {
            long[] free = vectors.room(node.getUnallocatedResource());
            placed += engine.offerKept(free, most, offer.filling(free));
        } finally {
            reservations.endBackfill();
        }
    }

    /** What is left after the asks that are on their nodes is for those that would gain nothing if they waited. */
    private int offerRest(HeddleNode node, HeartbeatOffer offer, int most) {
        if (most <= 0 || !offer.hasLeftRoom()) {
            return 0;
        }
        long[] free = vectors.room(node.getUnallocatedResource());
        return engine.offer(rest.of(free, offer), most, offer.fillingRest(free));
    }
}
