// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn.node;

import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.NodeType;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerApplicationAttempt.AMState;
import org.apache.hadoop.yarn.server.scheduler.SchedulerRequestKey;
import org.heddle.scheduler.yarn.app.AmShare;
import org.heddle.scheduler.yarn.app.Ask;
import org.heddle.scheduler.yarn.app.DelayScheduling;
import org.heddle.scheduler.yarn.app.HeddleAttempt;
import org.heddle.scheduler.yarn.app.Locality;
import org.heddle.scheduler.yarn.app.Verdict;
import org.heddle.scheduler.yarn.app.Veto;
import org.jspecify.annotations.Nullable;

/**
 * Creates a container for an ask on a node if {@link Feasibility} has no veto. Only {@link DirectPlacement} creates
 * containers, too. Guarded by the scheduler's lock.
 */
public final class ContainerAllocator {
    private final Feasibility feasibility;
    private final DelayScheduling.Places places;
    private final AllocationDelays delays;

    /** @param places of the cluster, as {@code feasibility} has them */
    public ContainerAllocator(Feasibility feasibility, DelayScheduling.Places places, AllocationDelays delays) {
        this.feasibility = feasibility;
        this.places = places;
        this.delays = delays;
    }

    /** Begins a node's heartbeat: removes values cached for the last one. */
    void beginTurn() {
        feasibility.beginTurn();
    }

    /**
     * Places one container on a node that is offered at its heartbeat. It counts as passed over by an ask for other
     * nodes.
     *
     * @param reserved the container for which the node was reserved, which keeps its id; null if none
     * @return a locality if the container was placed
     */
    Verdict place(
            HeddleAttempt attempt,
            Ask ask,
            HeddleNode node,
            long[] free,
            PlacementContext context,
            @Nullable Container reserved) {
        Verdict verdict = feasibility.test(attempt, ask, node, free, context);
        passedOver(verdict, attempt, ask, context);
        return act(verdict, attempt, ask, node, context, reserved);
    }

    /**
     * Whether an ask could be served on a node that is offered at its heartbeat, if enough were free and not reserved.
     */
    Verdict testAsIfFree(HeddleAttempt attempt, Ask ask, HeddleNode node, PlacementContext context) {
        feasibility.beginTurn();
        Verdict verdict = feasibility.testAsIfFree(attempt, ask, node, context);
        passedOver(verdict, attempt, ask, context);
        return verdict;
    }

    private void passedOver(Verdict verdict, HeddleAttempt attempt, Ask ask, PlacementContext context) {
        if (verdict.isSecondChoice()) {
            attempt.delay().passedOver(ask.key(), context.locality(), places, context.nowMillis());
        }
    }

    /**
     * Places one container on a node that was searched for the ask. It does not count as passed over, because one
     * search may test many nodes.
     */
    public Verdict placeAhead(HeddleAttempt attempt, Ask ask, HeddleNode node, long[] free, PlacementContext context) {
        feasibility.beginTurn();
        Verdict verdict = feasibility.test(attempt, ask, node, free, context);
        begin(verdict, attempt, ask, context.nowMillis());
        return act(verdict, attempt, ask, node, context, null);
    }

    /** Places one container for an ask for which a promise keeps what is free on the node. */
    public Verdict placePromised(HeddleAttempt attempt, Ask ask, HeddleNode node, long[] free, long nowMillis) {
        feasibility.beginTurn();
        Verdict verdict = feasibility.testPromised(attempt, ask, node, free, nowMillis);
        begin(verdict, attempt, ask, nowMillis);
        return act(verdict, attempt, ask, node, PlacementContext.promise(nowMillis), null);
    }

    private static void begin(Verdict verdict, HeddleAttempt attempt, Ask ask, long nowMillis) {
        if (verdict.isSecondChoice()) {
            attempt.delay().begin(ask.key(), nowMillis);
        }
    }

    /** Whether an ask for which preemption frees enough resources on a node could be served there. */
    public boolean couldServe(HeddleAttempt attempt, Ask ask, HeddleNode node, long nowMillis) {
        feasibility.beginTurn();
        return feasibility.testAsIfFree(attempt, ask, node, PlacementContext.promise(nowMillis)) instanceof Locality;
    }

    private Verdict act(
            Verdict verdict,
            HeddleAttempt attempt,
            Ask ask,
            HeddleNode node,
            PlacementContext context,
            @Nullable Container reserved) {
        if (attempt.awaitsMaster()) {
            attempt.application().schedulable().holdBack(verdict == Veto.MASTERS_SHARE);
        }
        if (verdict instanceof Locality locality) {
            return create(locality, attempt, ask, node, context, reserved) ? verdict : Veto.WITHDRAWN;
        }
        if (verdict == Veto.MASTERS_SHARE) {
            attempt.updateAMContainerDiagnostics(
                    AMState.ACTIVATED, AmShare.refusal(attempt.application().leaf()));
        }
        return verdict;
    }

    private boolean create(
            Locality locality,
            HeddleAttempt attempt,
            Ask ask,
            HeddleNode node,
            PlacementContext context,
            @Nullable Container reserved) {
        boolean master = attempt.awaitsMaster();
        NodeType wish = nearestWish(attempt, ask.key(), node);
        RMContainer container = attempt.allocate(locality.type(), node, ask, reserved);
        if (container == null) {
            return false;
        }
        // Outside the attempt's lock: this call locks the application, and reports lock first it, then the attempt.
        attempt.incNumAllocatedContainers(locality.type(), wish);
        node.allocateContainer(container);
        long nowMillis = context.nowMillis();
        node.started(container.getContainerId(), nowMillis);
        delays.add(ask.times().served(nowMillis), nowMillis);
        attempt.delay().served(ask.key(), locality, context.locality(), nowMillis);
        if (master) {
            attempt.amStarted(container.getContainer().getResource());
        }
        return true;
    }

    /** The nearest place asked for under a key that matches the node, for the application's statistics. */
    private static NodeType nearestWish(HeddleAttempt attempt, SchedulerRequestKey key, HeddleNode node) {
        if (attempt.getPendingAsk(key, node.getNodeName()).getCount() > 0) {
            return NodeType.NODE_LOCAL;
        }
        if (attempt.getPendingAsk(key, node.getRackName()).getCount() > 0) {
            return NodeType.RACK_LOCAL;
        }
        return NodeType.OFF_SWITCH;
    }
}
