// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn.node;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.scheduler.SchedulerRequestKey;
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
 * Reserves a node for a large ask that smaller asks would otherwise pass forever. Rare: only for the application that
 * is next, only if none of its asks up to this one has fitted any node for a while, on few nodes at once, and for a
 * limited time. It also reserves if no other application asks: this costs nothing, and later asks come after it.
 * Guarded by the scheduler's lock.
 */
public final class NodeReservations {
    private static final Logger LOG = LoggerFactory.getLogger(NodeReservations.class);

    /** The result of {@link #keep}. */
    public enum Outcome {
        /** Not reserved: all asks may use it. */
        FREE,
        /**
         * No longer reserved, because of a veto, the end of the ask, the time limit, or another application that comes first
         * by now; not to be reserved again in this heartbeat.
         */
        GIVEN_BACK,
        /** The reserved ask got its container: all asks may use the rest. */
        SERVED,
        /** Still reserved: no other ask may use it. */
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
     * Serves the ask for which a node is reserved, if enough resources are free; ends the reservation if the ask is
     * gone or the time limit is over.
     */
    public Outcome keep(HeddleNode node, HeartbeatOffer offer, long nowMillis) {
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
        if (anotherIsNext(attempt, ask, node)) {
            return Outcome.GIVEN_BACK;
        }
        offer.filling(vectors.room(node.getUnallocatedResource()));
        if (offer.place(attempt, ask, reserved.getContainer())) {
            engine.grant(attempt.application().schedulable(), ask.size());
            return Outcome.SERVED;
        }
        return Outcome.GIVEN_BACK;
    }

    /**
     * Whether another application comes first by now and asks for containers that are at least as large: then it gets the
     * room. For smaller ones the reserved ask would be passed over again.
     */
    private boolean anotherIsNext(HeddleAttempt reserving, Ask reserved, HeddleNode node) {
        HeddleAttempt attempt = HeddleApplication.attemptOf(engine.nextWithUnlimitedRoom());
        return attempt != null
                && !attempt.equals(reserving)
                && attempt.asks().stream()
                        .allMatch(ask ->
                                Vectors.fit(reserved.size().need(), ask.size().need())
                                        && feasibility.testEmpty(attempt, ask, node) == null);
    }

    /**
     * Reserves a node for the application that is next, if its ask is passed over; at most one reservation per round.
     */
    public void consider(HeddleNode node, HeartbeatOffer offer, int nodes, long nowMillis) {
        SchedulingDelays waits = queues.spec().schedulingDelays();
        if (waits.maxReservedNodes() <= 0
                || lookedInRound == engine.rounds()
                || node.getReservedContainer() != null
                || held.size() >= Math.max(1, (int) (nodes * waits.maxReservedNodes()))) {
            return;
        }
        HeddleAttempt attempt = HeddleApplication.attemptOf(engine.nextWithUnlimitedRoom());
        if (attempt == null) {
            return;
        }
        for (Ask ask : attempt.asks()) {
            if (!ask.size().isPassedOver(nowMillis, waits.reservation())) {
                return; // this ask fits some node
            }
            if (offer.couldServe(attempt, ask)) {
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

    /** Ends the reservation of a node, if there is one. */
    public void release(HeddleNode node) {
        HeddleAttempt attempt = node.reservedFor();
        if (attempt != null) {
            attempt.unreserve(node);
        }
        held.remove(node);
    }

    /** Ends the reservation of a node that has become too small for it. */
    public void releaseIfTooLarge(HeddleNode node) {
        RMContainer reserved = node.getReservedContainer();
        if (reserved != null && !fits(reserved.getContainer().getResource(), node.getTotalResource())) {
            release(node);
        }
    }

    /** Ends all reservations of an attempt. */
    public void releaseAll(HeddleAttempt attempt) {
        for (HeddleNode node : Set.copyOf(held)) {
            if (attempt.equals(node.reservedFor())) {
                release(node);
            }
        }
    }

    private boolean fits(Resource size, Resource room) {
        return Vectors.fit(vectors.of(size), vectors.room(room));
    }
}
