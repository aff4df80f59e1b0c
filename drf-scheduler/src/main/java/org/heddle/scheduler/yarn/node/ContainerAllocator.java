// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn.node;

import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.NodeType;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerAppUtils;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.SchedulingMode;
import org.apache.hadoop.yarn.server.scheduler.SchedulerRequestKey;
import org.heddle.scheduler.engine.ContainerSize;
import org.heddle.scheduler.engine.Placer;
import org.heddle.scheduler.engine.Schedulable;
import org.heddle.scheduler.model.ClusterRules;
import org.heddle.scheduler.model.SchedulingDelays;
import org.heddle.scheduler.yarn.app.AmShare;
import org.heddle.scheduler.yarn.app.DelayScheduling;
import org.heddle.scheduler.yarn.app.HeddleApplication;
import org.heddle.scheduler.yarn.app.HeddleAttempt;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One node's turn: says whether the application that the engine has chosen can use this node, and if so makes the
 * container. The only place where containers come into being. Guarded by the scheduler's lock; one instance serves all
 * nodes, one after another.
 */
public final class ContainerAllocator implements Placer {
    private static final long[] NOTHING = {};
    private static final Logger LOG = LoggerFactory.getLogger(ContainerAllocator.class);

    private static final SchedulingDelays NO_WAITS = new SchedulingDelays(0, 0, 0, 0, 0);

    private final AmShare amShare;
    private HeddleNode node;
    private SchedulingDelays waits = SchedulingDelays.DEFAULT;
    private long nowMillis;
    private DelayScheduling.@Nullable Skips skips;
    private boolean halfOfRoom;
    private long[] atStart = new long[0];
    private boolean masterPlaced;
    private SchedulingMode mode = SchedulingMode.RESPECT_PARTITION_EXCLUSIVITY;

    @SuppressWarnings("NullAway.Init") // node is set by on() before each use
    public ContainerAllocator(AmShare amShare) {
        this.amShare = amShare;
    }

    /** Begins a node's turn. */
    public ContainerAllocator on(HeddleNode newNode, SchedulingDelays newWaits, long newNowMillis) {
        node = newNode;
        waits = newWaits;
        nowMillis = newNowMillis;
        masterPlaced = false;
        mode = SchedulingMode.RESPECT_PARTITION_EXCLUSIVITY;
        skips = null;
        halfOfRoom = false;
        amShare.begin();
        return this;
    }

    /** The same for the idle rest of a partition that is shared: for asks for nodes without a label, but no masters. */
    public ContainerAllocator onShared(HeddleNode newNode, SchedulingDelays newWaits, long newNowMillis) {
        on(newNode, newWaits, newNowMillis);
        masterPlaced = true;
        mode = SchedulingMode.IGNORE_PARTITION_EXCLUSIVITY;
        return this;
    }

    /** The same for what has been promised to somebody, who has waited long enough for a better place. */
    public ContainerAllocator onAnyTerms(HeddleNode newNode, long newNowMillis) {
        return on(newNode, NO_WAITS, newNowMillis);
    }

    /** Rules that hold for this node's turn, too. */
    public ContainerAllocator under(ClusterRules rules, int nodes) {
        skips = rules.countsSkips()
                ? new DelayScheduling.Skips(nodes * rules.nodeSkips(), nodes * rules.rackSkips())
                : null;
        halfOfRoom = rules.halfOfRoom();
        atStart = NOTHING;
        return this;
    }

    /** With half of the room to be filled: as long as what was placed fits into half of what was free. */
    @Override
    public boolean goesOn(long[] free) {
        if (!halfOfRoom) {
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
    public @Nullable ContainerSize place(Schedulable claim, Gate gate) {
        HeddleApplication application = (HeddleApplication) claim.owner();
        HeddleAttempt attempt = application == null ? null : application.getCurrentAppAttempt();
        if (attempt == null || attempt.isStopped() || SchedulerAppUtils.isPlaceBlacklisted(attempt, node, LOG)) {
            return null;
        }
        for (Map.Entry<SchedulerRequestKey, ContainerSize> ask :
                attempt.shapes().entrySet()) {
            ContainerSize shape = ask.getValue();
            if (gate.admits(shape) && place(attempt, ask.getKey(), shape, null)) {
                return shape;
            }
        }
        return null;
    }

    /**
     * Places one container for an ask if the node suits it.
     *
     * @param reserved the container that the node was held for, which keeps its id; null if it was not
     */
    public boolean place(
            HeddleAttempt attempt, SchedulerRequestKey key, ContainerSize shape, @Nullable Container reserved) {
        boolean master = attempt.awaitsMaster();
        NodeType type = suits(attempt, key, shape);
        if (type == null) {
            return false;
        }
        NodeType wish = attempt.nearestWish(key, node);
        RMContainer container = attempt.allocate(type, node, key, shape, reserved);
        if (container == null) {
            return false;
        }
        // Outside the attempt's lock: it takes the application's, under which reports take the attempt's.
        attempt.incNumAllocatedContainers(type, wish);
        node.allocateContainer(container);
        attempt.delay().served(key, type, waits, nowMillis);
        if (master) {
            Resource size = container.getContainer().getResource();
            attempt.amStarted(size);
            masterPlaced = true;
        }
        return true;
    }

    /** Whether partition and constraints let an ask use a node. */
    public static boolean mayUse(HeddleAttempt attempt, SchedulerRequestKey key, HeddleNode node) {
        return mayUse(attempt, key, node, SchedulingMode.RESPECT_PARTITION_EXCLUSIVITY);
    }

    private static boolean mayUse(
            HeddleAttempt attempt, SchedulerRequestKey key, HeddleNode node, SchedulingMode mode) {
        return attempt.getAppSchedulingInfo().precheckNode(key, node, mode, Optional.empty());
    }

    /** How near to its place an ask would be on this node; null if too far, wrong partition, or no master allowed. */
    @Nullable
    public NodeType suits(HeddleAttempt attempt, SchedulerRequestKey key, ContainerSize shape) {
        if (attempt.awaitsMaster() && (masterPlaced || !amShare.admits(attempt, shape))) {
            return null;
        }
        if (!mayUse(attempt, key, node, mode)) {
            return null;
        }
        return attempt.delay().nearness(attempt.getAppSchedulingInfo(), key, node, waits, skips, nowMillis);
    }
}
