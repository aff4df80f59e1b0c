// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn.node;

import java.io.IOException;
import java.util.Optional;
import org.apache.hadoop.yarn.api.records.NodeState;
import org.apache.hadoop.yarn.api.records.SchedulingRequest;
import org.apache.hadoop.yarn.server.resourcemanager.RMContext;
import org.apache.hadoop.yarn.server.resourcemanager.nodelabels.RMNodeLabelsManager;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerAppUtils;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.SchedulingMode;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.constraint.InvalidAllocationTagsQueryException;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.constraint.PlacementConstraintsUtil;
import org.heddle.scheduler.engine.ShareEngine;
import org.heddle.scheduler.model.Vectors;
import org.heddle.scheduler.yarn.app.AmShare;
import org.heddle.scheduler.yarn.app.Ask;
import org.heddle.scheduler.yarn.app.DelayScheduling;
import org.heddle.scheduler.yarn.app.HeddleAttempt;
import org.heddle.scheduler.yarn.app.Locality;
import org.heddle.scheduler.yarn.app.Verdict;
import org.heddle.scheduler.yarn.app.Veto;
import org.heddle.scheduler.yarn.compat.ResourceVectors;
import org.heddle.scheduler.yarn.queue.LabelCapacities;
import org.heddle.scheduler.yarn.queue.QueueTree;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides whether an ask may run on a node: for allocation, explanation, reservation, preemption and direct placement.
 * The order among applications does not count here. Changes only the state of delay scheduling. Hot: a test without a
 * veto creates no object. Guarded by the scheduler's lock.
 */
public final class Feasibility {
    private static final Logger LOG = LoggerFactory.getLogger(Feasibility.class);

    private final ShareEngine engine;
    private final QueueTree queues;
    private final ResourceVectors vectors;
    private final AmShare amShare;
    private final MinimumOffers minimumOffers;
    private final DelayScheduling.Places places;
    private final RMContext context;
    private final DueRoom dueRoom;
    private final RoomForecast forecast;
    private final Backfill backfill;

    public Feasibility(
            ShareEngine engine,
            QueueTree queues,
            ResourceVectors vectors,
            AmShare amShare,
            MinimumOffers minimumOffers,
            DelayScheduling.Places places,
            RMContext context) {
        this.engine = engine;
        this.queues = queues;
        this.vectors = vectors;
        this.amShare = amShare;
        this.minimumOffers = minimumOffers;
        this.places = places;
        this.context = context;
        this.dueRoom = new DueRoom(engine, this);
        this.forecast = new RoomForecast(vectors);
        this.backfill = new Backfill(forecast);
    }

    /** The room that is left to those who are due. */
    DueRoom dueRoom() {
        return dueRoom;
    }

    /** When nodes are expected to have room. */
    RoomForecast forecast() {
        return forecast;
    }

    /** The room of a reserved node that others may use for the time being. */
    Backfill backfill() {
        return backfill;
    }

    /** Begins a node's heartbeat: removes values cached for the last one. */
    public void beginTurn() {
        amShare.begin();
    }

    /**
     * Whether an ask may be served on a node that takes containers.
     *
     * @param free on the node, per resource
     */
    public Verdict test(HeddleAttempt attempt, Ask ask, HeddleNode node, long[] free, PlacementContext context) {
        Veto veto = testAsk(attempt, ask, node, context);
        if (veto == null) {
            veto = testRoom(attempt, ask, node, free);
        }
        Verdict verdict = veto == null ? testLocality(attempt, ask, node, context) : veto;
        return verdict instanceof Locality && dueRoom.isLeft(attempt, ask, node, free) ? Veto.RESERVED : verdict;
    }

    /** The same for a node of which nothing is known. */
    public Verdict testAny(HeddleAttempt attempt, Ask ask, HeddleNode node, long[] free, PlacementContext context) {
        Veto veto = testAsk(attempt, ask, node, context);
        if (veto == null) {
            veto = takesContainers(node) ? testRoom(attempt, ask, node, free) : Veto.NOT_RUNNING;
        }
        if (veto == null && holdsBack(node, free)) {
            veto = Veto.MINIMUM_OFFER;
        }
        return veto == null ? testLocality(attempt, ask, node, context) : veto;
    }

    /** The same for an ask for which a promise keeps what is free on the node. */
    public Verdict testPromised(HeddleAttempt attempt, Ask ask, HeddleNode node, long[] free, long nowMillis) {
        PlacementContext context = PlacementContext.promise(nowMillis);
        Veto veto = testAsk(attempt, ask, node, context);
        if (veto == null && !ask.size().fits(free)) {
            veto = tooLarge(ask, node);
        }
        return veto == null ? testLocality(attempt, ask, node, context) : veto;
    }

    /** The same as if enough resources were free and not reserved: for a node on which they could become free. */
    public Verdict testAsIfFree(HeddleAttempt attempt, Ask ask, HeddleNode node, PlacementContext context) {
        Veto veto = testApplication(attempt, ask);
        if (veto == null) {
            veto = testEmpty(attempt, ask, node, context.partitions());
        }
        if (veto == null) {
            veto = testLabelLimit(attempt, ask, node);
        }
        return veto == null ? testLocality(attempt, ask, node, context) : veto;
    }

    /** The static veto against an ask on a node; null if the ask could be served if the node were empty. */
    @Nullable
    Veto testEmpty(HeddleAttempt attempt, Ask ask, HeddleNode node) {
        return testEmpty(attempt, ask, node, SchedulingMode.RESPECT_PARTITION_EXCLUSIVITY);
    }

    /** The same; if the partition of the node lends its idle rest to the ask, the label does not count. */
    @Nullable
    public Veto testEmptyOrLent(HeddleAttempt attempt, Ask ask, HeddleNode node) {
        Veto veto = testEmpty(attempt, ask, node);
        if (veto == Veto.LABEL && mayBeLent(attempt, node)) {
            return testEmpty(attempt, ask, node, SchedulingMode.IGNORE_PARTITION_EXCLUSIVITY);
        }
        return veto;
    }

    private @Nullable Veto testEmpty(HeddleAttempt attempt, Ask ask, HeddleNode node, SchedulingMode mode) {
        if (!takesContainers(node)) {
            return Veto.NOT_RUNNING;
        }
        Veto veto = testPlace(attempt, ask, node, mode);
        return veto != null || fitsWhenEmpty(ask, node) ? veto : Veto.TOO_LARGE;
    }

    /** The veto against a request for which Hadoop's placement processor has chosen the node; null if none. */
    @Nullable
    public Veto test(HeddleAttempt attempt, SchedulingRequest request, long[] need, HeddleNode node) {
        if (node.isKept()) {
            return Veto.RESERVED;
        }
        if (!meetsConstraints(attempt, request, node)) {
            return Veto.LABEL;
        }
        if (engine.limiting(attempt.application().schedulable(), need) != null) {
            return Veto.OVER_LIMIT;
        }
        if (queues.limits().labels().limiting(attempt.application().leaf(), node.getPartition(), need) != null) {
            return Veto.LABEL_LIMIT;
        }
        return Vectors.fit(need, vectors.room(node.getUnallocatedResource())) ? null : Veto.INSUFFICIENT_RESOURCES;
    }

    boolean isWithinLimits(HeddleAttempt attempt, Ask ask) {
        return engine.withinLimits(attempt.application().schedulable(), ask.size());
    }

    /** Whether a node accepts new containers. */
    public static boolean takesContainers(HeddleNode node) {
        return node.getRMNode().getState() != NodeState.DECOMMISSIONING;
    }

    /** Whether a node is in use and has less free resources than the minimum offer. */
    public boolean holdsBack(HeddleNode node, long[] free) {
        return minimumOffers.holdsBack(node, free, queues.rules().minimumOffer());
    }

    /** Whether a node's partition lends its idle rest to asks for nodes without a label. */
    public boolean lendsItsRest(HeddleNode node) {
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

    /** Whether the attempt may use that idle rest: its ApplicationMaster may not. */
    public boolean mayBeLent(HeddleAttempt attempt, HeddleNode node) {
        return !attempt.awaitsMaster() && lendsItsRest(node);
    }

    /** The veto against an ask on every node; null if there is none. */
    @Nullable
    public Veto testApplication(HeddleAttempt attempt, Ask ask) {
        if (!isWithinLimits(attempt, ask)) {
            return Veto.OVER_LIMIT;
        }
        if (!attempt.awaitsMaster() || amShare.admits(attempt, ask.size())) {
            return null;
        }
        return Veto.MASTERS_SHARE;
    }

    /** The veto against an ask on a node, whatever is free there. */
    private @Nullable Veto testAsk(HeddleAttempt attempt, Ask ask, HeddleNode node, PlacementContext context) {
        Veto veto = testApplication(attempt, ask);
        if (veto == null) {
            veto = testPlace(attempt, ask, node, context.partitions());
        }
        return veto == null ? testLabelLimit(attempt, ask, node) : veto;
    }

    private static @Nullable Veto testPlace(HeddleAttempt attempt, Ask ask, HeddleNode node, SchedulingMode mode) {
        if (SchedulerAppUtils.isPlaceBlacklisted(attempt, node, LOG)) {
            return Veto.BLACKLISTED;
        }
        return attempt.getAppSchedulingInfo().precheckNode(ask.key(), node, mode, Optional.empty()) ? null : Veto.LABEL;
    }

    private @Nullable Veto testLabelLimit(HeddleAttempt attempt, Ask ask, HeddleNode node) {
        LabelCapacities labels = queues.limits().labels();
        String partition = node.getPartition();
        if (labels.has(partition)
                && labels.limiting(
                                attempt.application().leaf(),
                                partition,
                                ask.size().need())
                        != null) {
            return Veto.LABEL_LIMIT;
        }
        return null;
    }

    private @Nullable Veto testRoom(HeddleAttempt attempt, Ask ask, HeddleNode node, long[] free) {
        boolean kept = node.isKeptForOthers(attempt, ask.key()) && !backfill.admits(attempt, ask, node);
        if (!kept && ask.size().fits(free)) {
            return null;
        }
        return kept && fitsWhenEmpty(ask, node) ? Veto.RESERVED : tooLarge(ask, node);
    }

    private Veto tooLarge(Ask ask, HeddleNode node) {
        return fitsWhenEmpty(ask, node) ? Veto.INSUFFICIENT_RESOURCES : Veto.TOO_LARGE;
    }

    private Verdict testLocality(HeddleAttempt attempt, Ask ask, HeddleNode node, PlacementContext context) {
        return attempt.delay()
                .test(attempt.getAppSchedulingInfo(), ask, node, context.locality(), places, context.nowMillis());
    }

    private boolean fitsWhenEmpty(Ask ask, HeddleNode node) {
        return ask.size().fits(vectors.room(node.getTotalResource()));
    }

    private boolean meetsConstraints(HeddleAttempt attempt, SchedulingRequest request, HeddleNode node) {
        try {
            return PlacementConstraintsUtil.canSatisfyConstraints(
                    attempt.getApplicationId(),
                    request,
                    node,
                    context.getPlacementConstraintManager(),
                    context.getAllocationTagsManager());
        } catch (InvalidAllocationTagsQueryException e) {
            LOG.info(
                    "{} asks for constraints that cannot be looked up: {}",
                    attempt.getApplicationAttemptId(),
                    e.getMessage());
            return false;
        }
    }
}
