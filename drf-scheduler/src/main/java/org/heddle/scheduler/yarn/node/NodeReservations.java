// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn.node;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
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
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reserves a node for a large ask that smaller asks would otherwise pass forever. Rare: only for the application that
 * is next, only if none of its asks up to this one has fitted any node for a while, and on few nodes at once. It also
 * reserves if no other application asks: this costs nothing, and later asks come after it.
 *
 * <p>A reservation ends when it is served, when its ask is gone, when another application comes first by now, or when
 * it makes no progress: nothing has ended on the node for {@value #PATIENCE} lifetimes of the containers that run in
 * the cluster. Then the node is not reserved again for an ask that needs the room of those containers. It moves to a
 * node that will be free in half the time, by what the containers of each queue have lived lately ({@link
 * RoomForecast}). So where all containers live equally long, each next container of an ask comes after one lifetime at
 * most, and the time of the wait before. Until then other containers may use what is free there, if they are expected
 * to end in time ({@link Backfill}). Guarded by the scheduler's lock.
 */
public final class NodeReservations {
    private static final Logger LOG = LoggerFactory.getLogger(NodeReservations.class);

    /** Lifetimes without an end after which a reservation is given back. */
    static final int PATIENCE = 3;

    /**
     * The shortest time without an end: lifetimes may be shorter than the time between two heartbeats, or not known
     * yet.
     */
    static final long LEAST_PATIENCE_MILLIS = 60_000;

    /** What has become of a node's reservation. */
    public enum Outcome {
        /** Not reserved: all asks may use it. */
        FREE,
        /**
         * No longer reserved, because of a veto, the end of the ask, too little progress, or another application that
         * comes first by now; not to be reserved again in this heartbeat.
         */
        GIVEN_BACK,
        /** The reserved ask got its container: all asks may use the rest. */
        SERVED,
        /** Still reserved: others may use it only for a while. */
        HELD
    }

    /**
     * The result of {@link #keep}.
     *
     * @param backfillMillis in how many milliseconds containers must have ended that are placed on a held node
     *     meanwhile ({@link #beginBackfill}); 0 if none may be
     */
    public record Kept(Outcome outcome, long backfillMillis) {
        private static final Kept FREE = new Kept(Outcome.FREE, 0);
        private static final Kept GIVEN_BACK = new Kept(Outcome.GIVEN_BACK, 0);
        private static final Kept SERVED = new Kept(Outcome.SERVED, 0);
        private static final Kept CLOSED = new Kept(Outcome.HELD, 0);
    }

    private final ShareEngine engine;
    private final QueueTree queues;
    private final ResourceVectors vectors;
    private final Feasibility feasibility;
    private final RoomForecast forecast;
    private final Map<HeddleNode, ReservationProgress> held = new LinkedHashMap<>();
    private final Predicate<Schedulable> waitsForRoom = this::waitsForRoom;
    private @Nullable NodeChoice search;

    public NodeReservations(ShareEngine engine, QueueTree queues, ResourceVectors vectors, Feasibility feasibility) {
        this.engine = engine;
        this.queues = queues;
        this.vectors = vectors;
        this.feasibility = feasibility;
        this.forecast = feasibility.forecast();
    }

    public int size() {
        return held.size();
    }

    public boolean isHeldFor(HeddleAttempt attempt, SchedulerRequestKey key) {
        return attempt.getNumReservedContainers(key) > 0;
    }

    public List<HeddleNode> held() {
        return List.copyOf(held.keySet());
    }

    /** When the reservation of a node began, by the scheduler's clock; now if there is none. */
    public long sinceMillis(HeddleNode node, long nowMillis) {
        ReservationProgress progress = held.get(node);
        return progress == null ? nowMillis : progress.sinceMillis;
    }

    /**
     * Serves the ask for which a node is reserved, if enough resources are free; ends the reservation if the ask is
     * gone or nothing ends there any more.
     */
    public Kept keep(HeddleNode node, HeartbeatOffer offer, long nowMillis) {
        HeddleAttempt attempt = node.reservedFor();
        RMContainer reserved = node.getReservedContainer();
        if (attempt == null || reserved == null) {
            held.remove(node);
            return Kept.FREE;
        }
        SchedulerRequestKey key = reserved.getReservedSchedulerKey();
        Ask ask = attempt.ask(key);
        Resource size = reserved.getContainer().getResource();
        boolean wanted = ask != null
                && !attempt.isStopped()
                && ResourceVectors.same(size, ask.size().need())
                && pending(attempt, ask) > 0
                && feasibility.isWithinLimits(attempt, ask)
                && feasibility.testEmpty(attempt, ask, node) == null;
        if (ask == null || !wanted) {
            return giveBack(node, attempt, "the ask is gone");
        }
        if (!fits(size, node.getUnallocatedResource())) {
            return hold(node, attempt, ask, nowMillis);
        }
        HeddleAttempt next = nextThatNeedsAsMuch(attempt, ask, node);
        release(node);
        if (next != null) {
            return Kept.GIVEN_BACK;
        }
        offer.filling(vectors.room(node.getUnallocatedResource()));
        if (offer.place(attempt, ask, reserved.getContainer())) {
            engine.grant(attempt.application().schedulable(), ask.size());
            return Kept.SERVED;
        }
        return Kept.GIVEN_BACK;
    }

    /** The room of a reserved node is not complete yet. */
    private Kept hold(HeddleNode node, HeddleAttempt attempt, Ask ask, long nowMillis) {
        ReservationProgress progress = held.get(node);
        if (progress == null) {
            return Kept.CLOSED;
        }
        RoomForecast.Outlook outlook = forecast.outlook(node, progress.before::contains);
        if (isStuck(progress, outlook, ask, nowMillis)) {
            setStuck(node);
            return giveBack(node, attempt, "nothing ends there any more");
        }
        HeddleAttempt next = nextThatNeedsAsMuch(attempt, ask, node);
        boolean another = next != null && handOver(node, next, nowMillis);
        if (another || node.isMarked() || !node.promises().isEmpty() || isFull(node)) {
            return Kept.CLOSED;
        }
        return new Kept(Outcome.HELD, forecast.waitMillis(outlook, ask.size().need(), nowMillis));
    }

    private boolean isFull(HeddleNode node) {
        for (long free : vectors.room(node.getUnallocatedResource())) {
            if (free > 0) {
                return false;
            }
        }
        return true;
    }

    /** Begins the offer of a reserved node to containers that end before its room is needed. */
    public void beginBackfill(HeddleNode node, Kept kept) {
        feasibility.backfill().begin(node, kept.backfillMillis);
    }

    public void endBackfill() {
        feasibility.backfill().end();
    }

    /** Remembers what did not end, and what the node has without it. */
    private void setStuck(HeddleNode node) {
        node.setStuck(
                node.getCopiedListOfRunningContainers(),
                container -> vectors.of(container.getContainer().getResource()),
                vectors.room(node.getTotalResource()));
    }

    private Kept giveBack(HeddleNode node, HeddleAttempt attempt, String reason) {
        LOG.info("Node {} is no longer held for {}: {}", node.getNodeID(), attempt.getApplicationId(), reason);
        release(node);
        return Kept.GIVEN_BACK;
    }

    private boolean isStuck(ReservationProgress progress, RoomForecast.Outlook outlook, Ask ask, long nowMillis) {
        progress.update(missing(outlook.room(), ask), nowMillis);
        return nowMillis - progress.atMillis > Math.max(LEAST_PATIENCE_MILLIS, PATIENCE * forecast.lifetimeMillis());
    }

    /** What is missing for an ask, as a part of what it needs, of the resource of which the largest part is missing. */
    private static double missing(long[] free, Ask ask) {
        double most = 0;
        for (int j = 0; j < free.length; j++) {
            long need = ask.size().need(j);
            if (need > free[j]) {
                most = Math.max(most, (double) (need - free[j]) / need);
            }
        }
        return most;
    }

    /**
     * Another application that comes first by now and asks for containers that are at least as large: it gets the room.
     * For smaller ones the reserved ask would be passed over again. Null if there is none.
     */
    private @Nullable HeddleAttempt nextThatNeedsAsMuch(HeddleAttempt reserving, Ask reserved, HeddleNode node) {
        HeddleAttempt attempt = HeddleApplication.attemptOf(engine.nextWithUnlimitedRoom(waitsForRoom));
        boolean another = attempt != null
                && !attempt.equals(reserving)
                && attempt.asks().stream()
                        .allMatch(ask ->
                                Vectors.fit(reserved.size().need(), ask.size().need())
                                        && feasibility.testEmpty(attempt, ask, node) == null);
        return another ? attempt : null;
    }

    /**
     * What has become free on a reserved node stays reserved, for another application.
     *
     * @return false if it asks for nothing that has waited for long enough
     */
    private boolean handOver(HeddleNode node, HeddleAttempt next, long nowMillis) {
        for (Ask ask : next.asks()) {
            if (ask.size()
                            .isPassedOver(
                                    nowMillis, queues.spec().schedulingDelays().reservation())
                    && next.getNumReservedContainers(ask.key()) < pending(next, ask)) {
                release(node);
                reserve(node, next, ask, nowMillis);
                return true;
            }
        }
        return false;
    }

    private static int pending(HeddleAttempt attempt, Ask ask) {
        return attempt.getPendingAsk(ask.key(), ResourceRequest.ANY).getCount();
    }

    /** Begins a pass in which those above what they should hold leave room to those who are due. */
    public void beginPass(long nowMillis) {
        boolean reserves = queues.spec().schedulingDelays().maxReservedNodes() > 0;
        feasibility.dueRoom().begin(reserves, PlacementContext.offer(queues.spec(), nowMillis));
    }

    /** Ends a pass. */
    public void endPass() {
        feasibility.dueRoom().end();
    }

    /**
     * Looks for a node to be reserved for the application that is next, if its ask is passed over: in a round it finds
     * the one that is expected to be free first. At most one reservation per round. Or moves a reservation of that ask
     * to this node.
     */
    public void consider(HeddleNode node, HeartbeatOffer offer, int nodes, long nowMillis) {
        SchedulingDelays waits = queues.spec().schedulingDelays();
        if (waits.maxReservedNodes() <= 0 || node.getReservedContainer() != null) {
            return;
        }
        HeddleAttempt attempt = HeddleApplication.attemptOf(engine.nextWithUnlimitedRoom(waitsForRoom));
        if (attempt == null) {
            return;
        }
        for (Ask ask : attempt.asks()) {
            if (!ask.size().isPassedOver(nowMillis, waits.reservation())) {
                return; // this ask fits some node
            }
            if (node.canBecomeFree(ask.size()) && offer.couldServe(attempt, ask)) {
                long wait = forecast.waitMillis(node, ask.size().need(), nowMillis);
                HeddleNode slower = slower(attempt, ask, wait, nowMillis);
                if (slower != null) {
                    LOG.info("Node {} will be free sooner than {}", node.getNodeID(), slower.getNodeID());
                    release(slower);
                    reserve(node, attempt, ask, nowMillis);
                } else if (mayHoldMore(attempt, ask, nodes)) {
                    search(node, attempt, ask, wait, nodes, nowMillis);
                }
                return;
            }
        }
    }

    /** Whether an application waits for room, and not for the limit of its queue's ApplicationMasters. */
    private boolean waitsForRoom(Schedulable application) {
        HeddleAttempt attempt = HeddleApplication.attemptOf(application);
        if (attempt == null || attempt.isStopped()) {
            return false;
        }
        if (!attempt.awaitsMaster()) {
            return true;
        }
        for (Ask ask : attempt.asks()) {
            if (feasibility.testApplication(attempt, ask) == null) {
                return true;
            }
        }
        return false;
    }

    private boolean mayHoldMore(HeddleAttempt attempt, Ask ask, int nodes) {
        double part = queues.spec().schedulingDelays().maxReservedNodes();
        return held.size() < Math.max(1, (int) (nodes * part))
                && attempt.getNumReservedContainers(ask.key()) < pending(attempt, ask);
    }

    private void search(HeddleNode node, HeddleAttempt attempt, Ask ask, long waitMillis, int nodes, long nowMillis) {
        if (search == null || !search.isFor(attempt, ask)) {
            search = new NodeChoice(attempt, ask, engine.rounds());
        }
        search.look(node, waitMillis);
        HeddleNode best = search.best();
        if (best != null && (search.looks() >= nodes || engine.rounds() > search.round() + 1)) {
            search = null;
            if (best.getReservedContainer() == null && feasibility.testEmpty(attempt, ask, best) == null) {
                reserve(best, attempt, ask, nowMillis);
            }
        }
    }

    private void reserve(HeddleNode node, HeddleAttempt attempt, Ask ask, long nowMillis) {
        Resource size = vectors.toResource(ask.size().need());
        attempt.reserve(node, ask.key(), size);
        held.put(
                node,
                new ReservationProgress(node, missing(vectors.room(node.getUnallocatedResource()), ask), nowMillis));
        LOG.info("Node {} is held for {} of {}", node.getNodeID(), size, attempt.getApplicationId());
    }

    /** A node that is reserved for an ask and is expected to be free at least twice as late; null if there is none. */
    private @Nullable HeddleNode slower(HeddleAttempt attempt, Ask ask, long waitMillis, long nowMillis) {
        for (HeddleNode node : held.keySet()) {
            if (node.isReservedFor(attempt, ask.key())
                    && forecast.waitMillis(node, ask.size().need(), nowMillis) > 2 * waitMillis) {
                return node;
            }
        }
        return null;
    }

    /** A container of a node has ended. */
    public void ended(HeddleNode node, RMContainer container, long nowMillis) {
        long lifetime = node.ended(container.getContainerId(), nowMillis);
        if (lifetime >= 0) {
            forecast.ended(container, lifetime);
        }
    }

    /** Ends the reservation of a node, if there is one. */
    public void release(HeddleNode node) {
        HeddleAttempt attempt = node.reservedFor();
        if (attempt != null) {
            attempt.unreserve(node);
        }
        held.remove(node);
        if (search != null && node.equals(search.best())) {
            search = null;
        }
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
        search = null;
        for (HeddleNode node : held()) {
            if (attempt.equals(node.reservedFor())) {
                release(node);
            }
        }
    }

    private boolean fits(Resource size, Resource room) {
        return Vectors.fit(vectors.of(size), vectors.room(room));
    }
}
