// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn.node;

import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.NodeType;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerApplicationAttempt.AMState;
import org.apache.hadoop.yarn.server.scheduler.SchedulerRequestKey;
import org.heddle.scheduler.engine.ContainerSize;
import org.heddle.scheduler.engine.Placer;
import org.heddle.scheduler.engine.Schedulable;
import org.heddle.scheduler.model.SchedulerSpec;
import org.heddle.scheduler.yarn.app.AmShare;
import org.heddle.scheduler.yarn.app.Ask;
import org.heddle.scheduler.yarn.app.HeddleApplication;
import org.heddle.scheduler.yarn.app.HeddleAttempt;
import org.jspecify.annotations.Nullable;

/**
 * Creates containers for asks on one node after another: for the application that the engine has chosen, and for asks
 * for which a node is reserved or preemption has freed resources. Only {@link DirectPlacement} creates containers, too.
 * Guarded by the scheduler's lock; one instance serves all nodes.
 */
public final class ContainerAllocator implements Placer {
    private static final long[] NOTHING = {};

    private final Feasibility feasibility;
    private final AllocationDelays delays;
    private final PlacementContext circumstances = new PlacementContext();
    private HeddleNode node;
    private boolean dynamicMaxAssign;
    private long[] atStart = NOTHING;
    private @Nullable Veto veto;
    private boolean keptForLocality;

    @SuppressWarnings("NullAway.Init") // node is set by on() before each use
    public ContainerAllocator(Feasibility feasibility, AllocationDelays delays) {
        this.feasibility = feasibility;
        this.delays = delays;
    }

    /**
     * Begins a node's heartbeat with the configuration in force.
     *
     * @param nodes number of nodes of the cluster
     */
    public ContainerAllocator on(HeddleNode newNode, SchedulerSpec spec, int nodes, long nowMillis) {
        node = newNode;
        circumstances.begin(spec, nodes, nowMillis).nodeTested();
        dynamicMaxAssign = spec.rules().dynamicMaxAssign();
        atStart = NOTHING;
        feasibility.beginTurn();
        return this;
    }

    /**
     * Begins the test of one node for one ask, apart from heartbeats. A node that an ask passes over does not count for
     * delays that are counted in nodes, because one search may test many nodes.
     *
     * @param rest whether asks are served that would gain nothing if they waited for their nodes
     */
    public ContainerAllocator onCandidate(
            HeddleNode newNode, SchedulerSpec spec, int nodes, long nowMillis, boolean rest) {
        node = newNode;
        circumstances.begin(spec, nodes, nowMillis).onlyLooks(spec.rules().countsSkips());
        if (rest) {
            circumstances.rest();
        }
        dynamicMaxAssign = false;
        feasibility.beginTurn();
        return this;
    }

    /** Begins a node's heartbeat for an ask for which preemption has freed resources. */
    public ContainerAllocator onPromise(HeddleNode newNode, long nowMillis) {
        node = newNode;
        circumstances.beginPromise(nowMillis);
        dynamicMaxAssign = false;
        feasibility.beginTurn();
        return this;
    }

    /** Sets the free resources that the engine's next choices may use. */
    public ContainerAllocator filling(long[] free) {
        circumstances.free(free);
        return this;
    }

    /** The engine is about to offer room; see {@link #hasLeftRoom}. */
    public void beginOffer() {
        keptForLocality = false;
    }

    /**
     * Whether since {@link #beginOffer} an ask has left room because it waits for its nodes, so that it may be asked again
     * with {@link #fillingRest}.
     */
    public boolean hasLeftRoom(SchedulerSpec spec) {
        return keptForLocality
                && !spec.schedulingDelays().strict()
                && !spec.rules().countsSkips();
    }

    /** From now on also serves asks that would gain nothing if they waited for their nodes. */
    public ContainerAllocator fillingRest(long[] free) {
        circumstances.rest().free(free);
        return this;
    }

    /**
     * From now on serves only asks for nodes without a label, and no ApplicationMasters: they get the idle rest of a
     * shared partition.
     */
    public ContainerAllocator fillingSharedRest(long[] free) {
        circumstances.sharedRest().free(free);
        return this;
    }

    /** With dynamic max-assign, containers are placed until more than half of any free resource is used. */
    @Override
    public boolean goesOn(long[] free) {
        if (!dynamicMaxAssign) {
            return true;
        }
        if (atStart.length == 0) {
            atStart = free.clone();
        }
        for (int j = 0; j < free.length; j++) {
            if (atStart[j] - free[j] > atStart[j] / 2) {
                return false;
            }
        }
        return true;
    }

    @Override
    public @Nullable ContainerSize place(Schedulable schedulable, Gate gate) {
        HeddleApplication application = (HeddleApplication) schedulable.owner();
        HeddleAttempt attempt = application == null ? null : application.getCurrentAppAttempt();
        if (attempt == null || attempt.isStopped()) {
            return null;
        }
        for (Ask ask : attempt.asks()) {
            if (gate.admits(ask.size()) && place(attempt, ask, null)) {
                return ask.size();
            }
        }
        return null;
    }

    /** The first veto against an ask on the current node, as if it had enough free resources; null if none. */
    @Nullable
    public Veto testAsIfFree(HeddleAttempt attempt, Ask ask) {
        return feasibility.testAsIfFree(attempt, ask, node, circumstances);
    }

    /**
     * Places one container for an ask if there is no veto.
     *
     * @param reserved the container for which the node was reserved, which keeps its id; null if none
     */
    public boolean place(HeddleAttempt attempt, Ask ask, @Nullable Container reserved) {
        boolean master = attempt.awaitsMaster();
        veto = feasibility.test(attempt, ask, node, circumstances);
        if (veto != null) {
            keptForLocality |= veto == Veto.LOCALITY;
            if (veto == Veto.MASTERS_SHARE) {
                attempt.updateAMContainerDiagnostics(
                        AMState.ACTIVATED, AmShare.refusal(attempt.application().leaf()));
            }
            return false;
        }
        NodeType type = circumstances.nearness();
        NodeType wish = nearestWish(attempt, ask.key());
        RMContainer container = attempt.allocate(type, node, ask, reserved);
        if (container == null) {
            return false;
        }
        // Outside the attempt's lock: this call locks the application, and reports lock first it, then the attempt.
        attempt.incNumAllocatedContainers(type, wish);
        node.allocateContainer(container);
        delays.add(ask.times().served(circumstances.nowMillis()), circumstances.nowMillis());
        attempt.delay().served(ask.key(), type, circumstances.delays(), circumstances.nowMillis());
        if (master) {
            attempt.amStarted(container.getContainer().getResource());
            circumstances.masterPlaced();
        }
        return true;
    }

    /** Why the last call of {@link #place(HeddleAttempt, Ask, Container)} placed nothing; null if the ask is gone. */
    @Nullable
    public Veto veto() {
        return veto;
    }

    /** The nearest place asked for under a key that matches the node, for the application's statistics. */
    private NodeType nearestWish(HeddleAttempt attempt, SchedulerRequestKey key) {
        if (attempt.getPendingAsk(key, node.getNodeName()).getCount() > 0) {
            return NodeType.NODE_LOCAL;
        }
        return attempt.getPendingAsk(key, node.getRackName()).getCount() > 0
                ? NodeType.RACK_LOCAL
                : NodeType.OFF_SWITCH;
    }
}
