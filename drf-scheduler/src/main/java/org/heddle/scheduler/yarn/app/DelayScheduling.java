// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn.app;

import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.AppSchedulingInfo;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.NodeType;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerNode;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.placement.AppPlacementAllocator;
import org.apache.hadoop.yarn.server.scheduler.SchedulerRequestKey;
import org.heddle.scheduler.model.LocalityDelay;
import org.heddle.scheduler.yarn.queue.OffNodeCost;
import org.jspecify.annotations.Nullable;

/**
 * Delay scheduling (Nexus 4.4; Zaharia et al., EuroSys 2010) for one application attempt: for a while, an ask with
 * preferred nodes accepts only these nodes, then also their racks, then any node. The wait starts when the ask first
 * passes over a node, and ends when the ask is served on a preferred node. No time is spent on nodes or racks that the
 * cluster does not have. Of what others leave of a node an ask takes its part at once, unless one of its own nodes or
 * racks has room or its leaf's containers are known to take longer elsewhere ({@link OffNodeCost}); and if they are
 * known not to, the last asks of an application do not stand back either for others that are on their nodes. Where
 * nodes are counted, they count as in FairScheduler. Guarded by the scheduler's lock.
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

        /** Number of the cluster's nodes. */
        int count();

        /** Another number than before if a node has come or gone. */
        long version();
    }

    /**
     * What the last look for room has shown: a node with room, or the number of growths of nodes up to which none had
     * any.
     */
    public static final class Sighting {
        private @Nullable Object room;
        private long fullSince = NEVER;

        private void forget() {
            room = null;
            fullSince = NEVER;
        }

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

        private final Sighting onNodes = new Sighting();
        private final Sighting onRacks = new Sighting();

        private void find(AppSchedulingInfo asks, Ask ask, Places places) {
            if (asOf != places.version()) {
                best = places.best(asks, ask);
                asOf = places.version();
                onNodes.forget();
                onRacks.forget();
            }
        }

        private long forNode(LocalityDelay.Time delay) {
            return best == NodeType.NODE_LOCAL ? delay.node() : 0;
        }

        private long forAny(LocalityDelay.Time delay) {
            return best == NodeType.OFF_SWITCH ? 0 : forNode(delay) + delay.rack();
        }

        private void begin(long nowMillis) {
            since = since == NEVER ? nowMillis : since;
        }

        /** Whether one more node brings the ask further. */
        private boolean isEnough(LocalityDelay.Nodes delay, int nodes) {
            return reach < 2 && passed + 1 > nodes * (reach == 0 ? delay.node() : delay.rack());
        }
    }

    /**
     * Whether an ask may be served on a node, and with which locality. No wait begins and no node counts as passed
     * over: that is up to the caller.
     *
     * @param asks the attempt's asks
     * @param node the node with enough free resources
     * @param places of the cluster
     */
    public Verdict test(
            AppSchedulingInfo asks, Ask ask, SchedulerNode node, LocalityDelay delay, Places places, long nowMillis) {
        SchedulerRequestKey key = ask.key();
        boolean atNode = asks.getPendingAsk(key, node.getNodeName()).getCount() > 0;
        boolean onRack = asks.getPendingAsk(key, node.getRackName()).getCount() > 0;
        if (atNode && onRack) {
            return Locality.NODE;
        }
        if (!asks.canDelayTo(key, onRack ? node.getRackName() : ResourceRequest.ANY)) {
            return Veto.OTHER_PLACES;
        }
        AppPlacementAllocator<?> wishes = asks.getAppPlacementAllocator(key);
        if (wishes == null || wishes.getUniqueLocationAsks() <= 1) {
            return Locality.NO_PREFERENCE;
        }
        if (!isOver(wait(key), asks, ask, onRack, delay, places, nowMillis)) {
            return Veto.LOCALITY;
        }
        return onRack ? Locality.RACK : Locality.ELSEWHERE;
    }

    private boolean isOver(
            Wait wait,
            AppSchedulingInfo asks,
            Ask ask,
            boolean onRack,
            LocalityDelay delay,
            Places places,
            long nowMillis) {
        if (delay instanceof LocalityDelay.Nodes nodes) {
            int reach = wait.isEnough(nodes, places.count()) ? wait.reach + 1 : wait.reach;
            return reach >= (onRack ? 1 : 2);
        }
        wait.find(asks, ask, places);
        LocalityDelay.Time longest = longest(delay);
        long waited = wait.since == NEVER ? 0 : nowMillis - wait.since;
        if (waited >= (onRack ? wait.forNode(longest) : wait.forAny(longest))) {
            return true;
        }
        boolean takesAnother;
        if (delay instanceof LocalityDelay.WhileRoom) {
            takesAnother = waited >= wait.forNode(longest) || !offNodeCost.get().isHigh();
        } else {
            takesAnother = delay instanceof LocalityDelay.StandingBack
                    && isLast(asks, ask.key())
                    && offNodeCost.get().isNone();
        }
        return takesAnother
                && !places.haveRoom(asks, ask, NodeType.NODE_LOCAL, wait.onNodes)
                && (onRack || !places.haveRoom(asks, ask, NodeType.RACK_LOCAL, wait.onRacks));
    }

    /** Whether an application would end later if it stood back here, rather than others sooner. */
    private boolean isLast(AppSchedulingInfo asks, SchedulerRequestKey key) {
        long pending = asks.getPendingAsk(key, ResourceRequest.ANY).getCount();
        return pending * LAST_ONE_OF <= served + pending;
    }

    private static LocalityDelay.Time longest(LocalityDelay delay) {
        if (delay instanceof LocalityDelay.WhileRoom whileRoom) {
            return whileRoom.longest();
        }
        return delay instanceof LocalityDelay.StandingBack back ? back.longest() : (LocalityDelay.Time) delay;
    }

    private Wait wait(SchedulerRequestKey key) {
        return waits.computeIfAbsent(key, unused -> new Wait());
    }

    /**
     * The time until which an ask waits for a better node, by the scheduler's clock; 0 if no wait by time has begun.
     */
    public long waitsUntil(SchedulerRequestKey key, LocalityDelay delay) {
        Wait wait = waits.get(key);
        if (wait == null || wait.since == NEVER || delay instanceof LocalityDelay.Nodes) {
            return 0;
        }
        return wait.since + wait.forAny(longest(delay));
    }

    /** Notes that an ask had to do with another node than it would rather have, or waits for a better one. */
    public void begin(SchedulerRequestKey key, long nowMillis) {
        wait(key).begin(nowMillis);
    }

    /** The same for a node that was offered at its heartbeat, and may count. */
    public void passedOver(SchedulerRequestKey key, LocalityDelay delay, Places places, long nowMillis) {
        Wait wait = wait(key);
        if (delay instanceof LocalityDelay.Nodes nodes) {
            boolean further = wait.isEnough(nodes, places.count());
            wait.reach += further ? 1 : 0;
            wait.passed = further ? 0 : wait.passed + 1;
        } else {
            wait.begin(nowMillis);
        }
    }

    /** Notes that an ask was served: on its node the wait starts anew, on its rack it waits again for its node only. */
    public void served(SchedulerRequestKey key, Locality locality, LocalityDelay delay, long nowMillis) {
        served++;
        if (locality == Locality.NODE) {
            waits.remove(key);
        } else if (locality == Locality.RACK) {
            Wait wait = wait(key);
            if (!(delay instanceof LocalityDelay.Nodes)) {
                // one that was served from the rest has not waited so long yet
                wait.since = Math.max(wait.since, nowMillis - wait.forNode(longest(delay)));
            }
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
