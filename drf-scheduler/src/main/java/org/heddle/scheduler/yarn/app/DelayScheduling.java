// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn.app;

import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.AppSchedulingInfo;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.NodeType;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerNode;
import org.apache.hadoop.yarn.server.scheduler.SchedulerRequestKey;
import org.heddle.scheduler.model.SchedulingDelays;
import org.heddle.scheduler.yarn.queue.OffNodeCost;
import org.jspecify.annotations.Nullable;

/**
 * Delay scheduling (Nexus 4.4; Zaharia et al., EuroSys 2010) for one application attempt: for a while, an ask with
 * preferred nodes accepts only these nodes, then also their racks, then any node. The wait starts when the ask first
 * passes over a node, and ends when the ask is served on a preferred node. No time is spent on nodes or racks that the
 * cluster does not have. Of what others leave of a node an ask takes its part at once, unless one of its own nodes or
 * racks has room or its leaf's containers are known to take longer elsewhere ({@link OffNodeCost}); and if they are known not
 * to, the last asks of an application do not stand back either for others that are on their nodes. Where nodes are counted, they
 * count as in FairScheduler. Guarded by the scheduler's lock.
 */
public final class DelayScheduling {
    private static final long NEVER = -1;
    /** One of so many containers of an application is among its last ones. */
    private static final int LAST_ONE_OF = 5;

    private final Supplier<OffNodeCost> offNodeCost;
    private final Map<SchedulerRequestKey, Wait> waits = new HashMap<>();
    private long served;

    /** @param offNodeCost that of the leaf which the application is in */
    DelayScheduling(Supplier<OffNodeCost> offNodeCost) {
        this.offNodeCost = offNodeCost;
    }

    /** The nodes and racks of the cluster. */
    public interface Places {
        /** The best locality with which some node of the cluster could serve an ask, if that node had room. */
        NodeType best(AppSchedulingInfo asks, Ask ask);

        /**
         * Whether a node has room for an ask now.
         *
         * @param level NODE_LOCAL: among the nodes that the ask names; RACK_LOCAL: on the racks
         * @param last what the last look at this level has shown, and then this one
         */
        boolean haveRoom(AppSchedulingInfo asks, Ask ask, NodeType level, Sighting last);

        /** Another number than before if a node has come or gone. */
        long version();
    }

    /** What the last look for room has shown: a node with room, or the number of growths of nodes up to which none had any. */
    public static final class Sighting {
        private @Nullable Object room;
        private long fullSince = NEVER;

        public void set(@Nullable Object node, long growths) {
            room = node;
            fullSince = node == null ? growths : NEVER;
        }

        @Nullable
        public Object room() {
            return room;
        }

        /** Negative if there was room, or nobody has looked. */
        public long fullSince() {
            return fullSince;
        }
    }

    /**
     * Numbers of nodes to pass over, instead of times to wait (FairScheduler's locality thresholds).
     *
     * @param node before a node of the same rack is accepted
     * @param rack after that, before any node is accepted
     */
    public record Skips(double node, double rack) {}

    /** The progress of an ask. */
    private static final class Wait {
        /** By the scheduler's clock; {@link #NEVER} where nodes are counted instead. */
        private long since = NEVER;
        /** Of an ask that counts nodes: 0 its nodes only, 1 also its racks, 2 any node. */
        private int reach;
        /** Since the reach last changed. */
        private int passed;
        /** What there is to wait for. */
        private NodeType best = NodeType.NODE_LOCAL;
        /** The version of the places by which that was found. */
        private long asOf = NEVER;

        private Sighting onNodes = new Sighting();
        private Sighting onRacks = new Sighting();

        private Wait copy() {
            Wait copy = new Wait();
            copy.since = since;
            copy.reach = reach;
            copy.passed = passed;
            copy.best = best;
            copy.asOf = asOf;
            copy.onNodes = onNodes;
            copy.onRacks = onRacks;
            return copy;
        }

        private void find(AppSchedulingInfo asks, Ask ask, Places places) {
            if (asOf != places.version()) {
                best = places.best(asks, ask);
                asOf = places.version();
                onNodes = new Sighting();
                onRacks = new Sighting();
            }
        }

        private long forNode(SchedulingDelays delays) {
            return best == NodeType.NODE_LOCAL ? delays.nodeLocality() : 0;
        }

        private long forAny(SchedulingDelays delays) {
            return best == NodeType.OFF_SWITCH ? 0 : forNode(delays) + delays.rackLocality();
        }

        /** Counts one more node, and returns the reach now. */
        private int reach(Skips skips) {
            passed++;
            if (reach < 2 && passed > (reach == 0 ? skips.node() : skips.rack())) {
                reach++;
                passed = 0;
            }
            return reach;
        }
    }

    /**
     * The locality with which a node would serve an ask; null if the ask excludes the node or still waits for a better
     * one.
     *
     * @param asks the attempt's asks
     * @param node the node with enough free resources
     * @param places of the cluster
     * @param onlyLooks whether no wait begins and no node counts as passed over
     * @param rest whether the node has been offered to all that are on their nodes there
     */
    @Nullable
    public NodeType nearness(
            AppSchedulingInfo asks,
            Ask ask,
            SchedulerNode node,
            SchedulingDelays delays,
            @Nullable Skips skips,
            Places places,
            long nowMillis,
            boolean onlyLooks,
            boolean rest) {
        SchedulerRequestKey key = ask.key();
        int atNode = asks.getPendingAsk(key, node.getNodeName()).getCount();
        int onRack = asks.getPendingAsk(key, node.getRackName()).getCount();
        if (atNode > 0 && onRack > 0) {
            return NodeType.NODE_LOCAL;
        }
        boolean rackOpen = onRack > 0 && asks.canDelayTo(key, node.getRackName());
        boolean anyOpen = asks.canDelayTo(key, ResourceRequest.ANY);
        if (!rackOpen && !anyOpen) {
            return null;
        }
        if (onRack > 0 && !rackOpen) {
            return null; // only the named nodes of this rack are allowed
        }
        boolean prefers = asks.getAppPlacementAllocator(key) != null
                && asks.getAppPlacementAllocator(key).getUniqueLocationAsks() > 1;
        if (!prefers) {
            return NodeType.OFF_SWITCH;
        }
        Wait wait = onlyLooks ? seen(key) : begun(key);
        if (skips != null) {
            int reach = wait.reach(skips);
            return rackOpen && reach >= 1 ? NodeType.RACK_LOCAL : anyOpen && reach >= 2 ? NodeType.OFF_SWITCH : null;
        }
        wait.find(asks, ask, places);
        wait.since = wait.since == NEVER ? nowMillis : wait.since;
        long waited = nowMillis - wait.since;
        if (rackOpen && waited >= wait.forNode(delays)) {
            return NodeType.RACK_LOCAL;
        }
        if (anyOpen && waited >= wait.forAny(delays)) {
            return NodeType.OFF_SWITCH;
        }
        boolean takesAnother = rest
                ? waited >= wait.forNode(delays) || !offNodeCost.get().isHigh()
                : !delays.strict() && isLast(asks, key) && offNodeCost.get().isNone();
        if (!takesAnother || places.haveRoom(asks, ask, NodeType.NODE_LOCAL, wait.onNodes)) {
            return null;
        }
        if (rackOpen) {
            return NodeType.RACK_LOCAL;
        }
        return anyOpen && !places.haveRoom(asks, ask, NodeType.RACK_LOCAL, wait.onRacks) ? NodeType.OFF_SWITCH : null;
    }

    /** Whether an application would end later if it stood back here, rather than others sooner. */
    private boolean isLast(AppSchedulingInfo asks, SchedulerRequestKey key) {
        long pending = asks.getPendingAsk(key, ResourceRequest.ANY).getCount();
        return pending * LAST_ONE_OF <= served + pending;
    }

    private Wait begun(SchedulerRequestKey key) {
        return waits.computeIfAbsent(key, unused -> new Wait());
    }

    /** One that may be changed without consequences. */
    private Wait seen(SchedulerRequestKey key) {
        Wait wait = waits.get(key);
        return wait == null ? new Wait() : wait.copy();
    }

    /**
     * The time until which an ask waits for a better node, by the scheduler's clock; 0 if no wait by time has begun.
     */
    public long waitsUntil(SchedulerRequestKey key, SchedulingDelays delays) {
        Wait wait = waits.get(key);
        return wait == null || wait.since == NEVER ? 0 : wait.since + wait.forAny(delays);
    }

    /** Notes that an ask was served: on its node the wait starts anew, on its rack it waits again for its node only. */
    public void served(SchedulerRequestKey key, NodeType type, SchedulingDelays delays, long nowMillis) {
        served++;
        if (type == NodeType.NODE_LOCAL) {
            waits.remove(key);
        } else if (type == NodeType.RACK_LOCAL) {
            Wait wait = begun(key);
            // one that was served from the rest has not waited so long yet
            wait.since = wait.since == NEVER ? NEVER : Math.max(wait.since, nowMillis - wait.forNode(delays));
            wait.reach = Math.min(wait.reach, 1);
            wait.passed = 0;
        }
    }

    /** Ends the wait of an ask that was withdrawn or completely served. */
    void forget(SchedulerRequestKey key) {
        waits.remove(key);
    }

    /** Asks have changed, and may name other nodes and racks. */
    void reconsider() {
        waits.values().forEach(wait -> wait.asOf = NEVER);
    }
}
