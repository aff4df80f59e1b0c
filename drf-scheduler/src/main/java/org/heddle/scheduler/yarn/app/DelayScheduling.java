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
 * Delay scheduling (Nexus 4.4; Zaharia et al., EuroSys 2010) for one application attempt: for a while, an ask with
 * preferred nodes accepts only these nodes, then also their racks, then any node. The wait starts when the ask first
 * passes over a node, and ends when the ask is served on a preferred node. Guarded by the scheduler's lock.
 */
public final class DelayScheduling {
    private final Map<SchedulerRequestKey, Long> waitingSince = new HashMap<>();
    private final Map<SchedulerRequestKey, Passed> passed = new HashMap<>();

    /** The progress of an ask that counts passed nodes: 0 its nodes only, 1 also its racks, 2 any node. */
    private static final class Passed {
        int reach;
        int nodes;
    }

    /**
     * Numbers of nodes to pass over, instead of times to wait (FairScheduler's locality thresholds).
     *
     * @param node before a node of the same rack is accepted
     * @param rack after that, before any node is accepted
     */
    public record Skips(double node, double rack) {}

    /**
     * The locality with which a node would serve an ask; null if the ask excludes the node or still waits for a better
     * one.
     *
     * @param asks the attempt's asks
     * @param key the ask
     * @param node the node with enough free resources
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
            return null; // only the named nodes of this rack are allowed
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

    /** Counts one more node, and returns the reach of the ask now. */
    private int reach(SchedulerRequestKey key, Skips skips) {
        Passed so = passed.computeIfAbsent(key, unused -> new Passed());
        so.nodes++;
        if (so.reach < 2 && so.nodes > (so.reach == 0 ? skips.node() : skips.rack())) {
            so.reach++;
            so.nodes = 0;
        }
        return so.reach;
    }

    /** The present result of {@link #nearness}; no wait begins and no node counts as passed over. */
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

    /**
     * The time until which an ask waits for a better node, by the scheduler's clock; 0 if no wait by time has begun.
     */
    public long waitsUntil(SchedulerRequestKey key, SchedulingDelays waits) {
        Long since = waitingSince.get(key);
        return since == null ? 0 : since + waits.nodeLocality() + waits.rackLocality();
    }

    /** Notes that an ask was served: on its node the wait starts anew, on its rack it waits again for its node only. */
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

    /** Ends the wait of an ask that was withdrawn or completely served. */
    void forget(SchedulerRequestKey key) {
        waitingSince.remove(key);
        passed.remove(key);
    }
}
