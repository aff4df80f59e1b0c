// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn.app;

import java.util.HashMap;
import java.util.Map;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.AppSchedulingInfo;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.NodeType;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerNode;
import org.apache.hadoop.yarn.server.scheduler.SchedulerRequestKey;
import org.heddle.scheduler.model.SchedulingDelays;
import org.jspecify.annotations.Nullable;

/**
 * Delay scheduling (Nexus 4.4; Zaharia et al., EuroSys 2010) for one application attempt: an ask with preferred places
 * passes over other nodes for a while, first all but its nodes, then all but its racks. The wait starts when it first
 * passes a node over and ends when it is served where it wants to be. Guarded by the scheduler's lock.
 */
public final class DelayScheduling {
    private final Map<SchedulerRequestKey, Long> waitingSince = new HashMap<>();
    private final Map<SchedulerRequestKey, Passed> passed = new HashMap<>();

    /** How far an ask has come that counts the nodes that it passes over: 0 its nodes, 1 its racks, 2 anywhere. */
    private static final class Passed {
        int reach;
        int nodes;
    }

    /**
     * Nodes to pass over, in place of time to wait (FairScheduler's locality thresholds).
     *
     * @param node before a node of the same rack will do
     * @param rack after that, before any node will do
     */
    public record Skips(double node, double rack) {}

    /**
     * How near an ask would be served on a node; null if it may not, or would rather wait.
     *
     * @param asks the attempt's asks
     * @param key the ask
     * @param node the node that has room
     */
    @Nullable
    public NodeType nearness(
            AppSchedulingInfo asks,
            SchedulerRequestKey key,
            SchedulerNode node,
            SchedulingDelays waits,
            @Nullable Skips skips,
            long nowMillis) {
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
            return null; // only named nodes of this rack will do
        }
        boolean prefers = asks.getAppPlacementAllocator(key) != null
                && asks.getAppPlacementAllocator(key).getUniqueLocationAsks() > 1;
        if (!prefers) {
            return NodeType.OFF_SWITCH;
        }
        if (skips != null) {
            int reach = reach(key, skips);
            return rackOpen && reach >= 1 ? NodeType.RACK_LOCAL : anyOpen && reach >= 2 ? NodeType.OFF_SWITCH : null;
        }
        long waited = nowMillis - waitingSince.computeIfAbsent(key, unused -> nowMillis);
        if (rackOpen && waited >= waits.nodeLocality()) {
            return NodeType.RACK_LOCAL;
        }
        if (anyOpen && waited >= waits.nodeLocality() + waits.rackLocality()) {
            return NodeType.OFF_SWITCH;
        }
        return null;
    }

    /** Counts one more node; how far the ask may reach by now. */
    private int reach(SchedulerRequestKey key, Skips skips) {
        Passed so = passed.computeIfAbsent(key, unused -> new Passed());
        so.nodes++;
        if (so.reach < 2 && so.nodes > (so.reach == 0 ? skips.node() : skips.rack())) {
            so.reach++;
            so.nodes = 0;
        }
        return so.reach;
    }

    /** What {@link #nearness} would answer now. No wait begins and no node counts as passed over. */
    @Nullable
    public NodeType look(
            AppSchedulingInfo asks,
            SchedulerRequestKey key,
            SchedulerNode node,
            SchedulingDelays waits,
            @Nullable Skips skips,
            long nowMillis) {
        Long since = waitingSince.get(key);
        Passed before = passed.get(key);
        int reach = before == null ? 0 : before.reach;
        int counted = before == null ? 0 : before.nodes;
        NodeType type = nearness(asks, key, node, waits, skips, nowMillis);
        if (since == null) {
            waitingSince.remove(key);
        }
        if (before == null) {
            passed.remove(key);
        } else {
            before.reach = reach;
            before.nodes = counted;
        }
        return type;
    }

    /** Until when an ask waits for a better place, in the scheduler's clock; 0 if it does not wait by time. */
    public long waitsUntil(SchedulerRequestKey key, SchedulingDelays waits) {
        Long since = waitingSince.get(key);
        return since == null ? 0 : since + waits.nodeLocality() + waits.rackLocality();
    }

    /** An ask has been served: at its node it starts to wait anew, on its rack it waits again for its node only. */
    public void served(SchedulerRequestKey key, NodeType type, SchedulingDelays waits, long nowMillis) {
        Passed so = passed.get(key);
        if (so != null && type != NodeType.OFF_SWITCH) {
            so.reach = Math.min(so.reach, type == NodeType.NODE_LOCAL ? 0 : 1);
            so.nodes = 0;
        }
        if (type == NodeType.NODE_LOCAL) {
            waitingSince.remove(key);
        } else if (type == NodeType.RACK_LOCAL) {
            waitingSince.put(key, nowMillis - waits.nodeLocality());
        }
    }

    /** An ask has been withdrawn or filled. */
    void forget(SchedulerRequestKey key) {
        waitingSince.remove(key);
        passed.remove(key);
    }

    void forgetAll() {
        waitingSince.clear();
        passed.clear();
    }
}
