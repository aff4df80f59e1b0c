// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn.node;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.scheduler.SchedulerRequestKey;
import org.heddle.scheduler.engine.Schedulable;
import org.heddle.scheduler.engine.ShareEngine;
import org.heddle.scheduler.model.SchedulingDelays;
import org.heddle.scheduler.model.Vectors;
import org.heddle.scheduler.yarn.app.Ask;
import org.heddle.scheduler.yarn.app.HeddleApplication;
import org.heddle.scheduler.yarn.app.HeddleAttempt;
import org.heddle.scheduler.yarn.compat.ResourceVectors;
import org.heddle.scheduler.yarn.queue.QueueTree;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Holds a node for a large ask that would otherwise be passed over for ever by smaller ones. Rare on purpose: only for
 * the application that is next, only when its ask has fitted nowhere for a while, on few nodes at once, and not for
 * long. Also where no other application asks: the reservation then costs nothing, and precedes later asks. Guarded by
 * the scheduler's lock.
 */
public final class NodeReservations {
    private static final Logger LOG = LoggerFactory.getLogger(NodeReservations.class);

    /** What came of looking at a node. */
    public enum Outcome {
        /** Anybody may use it. */
        FREE,
        /** The same, but it is not to be held again in this turn: it was, and in vain. */
        GIVEN_BACK,
        /** Anybody may use what is left: a container has just been placed on it. */
        SERVED,
        /** It is still held: no other ask may use it. */
        HELD
    }

    private final ShareEngine engine;
    private final QueueTree queues;
    private final ResourceVectors vectors;
    private final Feasibility feasibility;
    private final Set<HeddleNode> held = new LinkedHashSet<>();
    private long lookedInRound = -1;

    public NodeReservations(ShareEngine engine, QueueTree queues, ResourceVectors vectors, Feasibility feasibility) {
        this.engine = engine;
        this.queues = queues;
        this.vectors = vectors;
        this.feasibility = feasibility;
    }

    public int size() {
        return held.size();
    }

    public boolean isHeldFor(HeddleAttempt attempt, SchedulerRequestKey key) {
        return held.stream().anyMatch(node -> node.isReservedFor(attempt, key));
    }

    public List<HeddleNode> held() {
        return List.copyOf(held);
    }

    /**
     * Serves the ask that a node is held for, if there is room by now; gives the node back if it is no longer wanted or
     * has been held too long.
     */
    public Outcome keep(HeddleNode node, ContainerAllocator allocator, long nowMillis) {
        HeddleAttempt attempt = node.reservedFor();
        RMContainer reserved = node.getReservedContainer();
        if (attempt == null || reserved == null) {
            held.remove(node);
            return Outcome.FREE;
        }
        SchedulerRequestKey key = reserved.getReservedSchedulerKey();
        Ask ask = attempt.ask(key);
        Resource size = reserved.getContainer().getResource();
        boolean wanted = ask != null
                && !attempt.isStopped()
                && ResourceVectors.same(size, ask.size().need())
                && attempt.getPendingAsk(key, ResourceRequest.ANY).getCount() > 0
                && feasibility.isWithinLimits(attempt, ask)
                && feasibility.testEmpty(attempt, ask, node) == null;
        boolean room = fits(size, node.getUnallocatedResource());
        boolean expired = !room
                && nowMillis - node.reservedSince()
                        >= queues.spec().schedulingDelays().reservationExpiry();
        if (ask == null || !wanted || expired) {
            LOG.info(
                    "Node {} is no longer held for {}: {}",
                    node.getNodeID(),
                    attempt.getApplicationId(),
                    wanted ? "room did not come in time" : "the ask is gone");
            release(node);
            return Outcome.GIVEN_BACK;
        }
        if (!room) {
            return Outcome.HELD;
        }
        release(node);
        if (allocator.place(attempt, ask, reserved.getContainer())) {
            engine.grant(attempt.application().schedulable(), ask.size());
            return Outcome.SERVED;
        }
        return Outcome.GIVEN_BACK;
    }

    /** Holds a node for the application that is next, if its ask is being passed over; once a round. */
    public void consider(HeddleNode node, ContainerAllocator allocator, int nodes, long nowMillis) {
        SchedulingDelays waits = queues.spec().schedulingDelays();
        if (waits.maxReservedNodes() <= 0
                || lookedInRound == engine.rounds()
                || node.getReservedContainer() != null
                || held.size() >= Math.max(1, (int) (nodes * waits.maxReservedNodes()))) {
            return;
        }
        Schedulable next = engine.nextWithUnlimitedRoom();
        HeddleAttempt attempt =
                next == null || next.owner() == null ? null : ((HeddleApplication) next.owner()).getCurrentAppAttempt();
        if (attempt == null) {
            return;
        }
        for (Ask ask : attempt.asks()) {
            if (!ask.size().isPassedOver(nowMillis, waits.reservation())) {
                return; // something that it asks for does find room
            }
            if (allocator.testWithRoom(attempt, ask) == null) {
                Resource size = vectors.toResource(ask.size().need());
                lookedInRound = engine.rounds();
                attempt.reserve(node, ask.key(), size);
                node.setReservedSince(nowMillis);
                held.add(node);
                LOG.info("Node {} is held for {} of {}", node.getNodeID(), size, attempt.getApplicationId());
                return;
            }
        }
    }

    /** Gives a node back, if it is held for an application. */
    public void release(HeddleNode node) {
        HeddleAttempt attempt = node.reservedFor();
        if (attempt != null) {
            attempt.unreserve(node);
        }
        held.remove(node);
    }

    /** Gives a node back that has become too small for what it is held for. */
    public void releaseIfTooLarge(HeddleNode node) {
        RMContainer reserved = node.getReservedContainer();
        if (reserved != null && !fits(reserved.getContainer().getResource(), node.getTotalResource())) {
            release(node);
        }
    }

    /** Gives all nodes back that are held for an attempt. */
    public void releaseAll(HeddleAttempt attempt) {
        for (HeddleNode node : Set.copyOf(held)) {
            if (attempt.equals(node.reservedFor())) {
                release(node);
            }
        }
    }

    private boolean fits(Resource size, Resource room) {
        return Vectors.fit(vectors.of(size), vectors.of(room));
    }
}
