// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn;

import java.util.HashMap;
import java.util.Map;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.AppSchedulingInfo;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.NodeType;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerNode;
import org.apache.hadoop.yarn.server.scheduler.SchedulerRequestKey;
import org.heddle.scheduler.model.Waits;
import org.jspecify.annotations.Nullable;

/**
 * Delay scheduling (Nexus 4.4; Zaharia et al., EuroSys 2010) for one application attempt: an ask with preferred places
 * passes over other nodes for a while, first all but its nodes, then all but its racks. The wait starts when it first
 * passes a node over and ends when it is served where it wants to be. Guarded by the scheduler's lock.
 */
final class DelayScheduling {
    private final Map<SchedulerRequestKey, Long> waitingSince = new HashMap<>();

    /**
     * How near an ask would be served on a node; null if it may not, or would rather wait.
     *
     * @param asks the attempt's asks
     * @param key the ask
     * @param node the node that has room
     */
    @Nullable
    NodeType nearness(
            AppSchedulingInfo asks, SchedulerRequestKey key, SchedulerNode node, Waits waits, long nowMillis) {
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
        long waited = nowMillis - waitingSince.computeIfAbsent(key, unused -> nowMillis);
        if (rackOpen && waited >= waits.nodeLocality()) {
            return NodeType.RACK_LOCAL;
        }
        if (anyOpen && waited >= waits.nodeLocality() + waits.rackLocality()) {
            return NodeType.OFF_SWITCH;
        }
        return null;
    }

    /** An ask has been served: at its node it starts to wait anew, on its rack it waits again for its node only. */
    void served(SchedulerRequestKey key, NodeType type, Waits waits, long nowMillis) {
        if (type == NodeType.NODE_LOCAL) {
            waitingSince.remove(key);
        } else if (type == NodeType.RACK_LOCAL) {
            waitingSince.put(key, nowMillis - waits.nodeLocality());
        }
    }

    /** An ask has been withdrawn or filled. */
    void forget(SchedulerRequestKey key) {
        waitingSince.remove(key);
    }

    void forgetAll() {
        waitingSince.clear();
    }
}
