// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn.node;

import java.util.Map;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.AppSchedulingInfo;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.ClusterNodeTracker;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.NodeType;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.placement.AppPlacementAllocator;
import org.apache.hadoop.yarn.server.scheduler.SchedulerRequestKey;
import org.heddle.scheduler.yarn.app.DelayScheduling;

/**
 * Which of the nodes and racks that asks name the cluster has. Stores outside of it name hosts that it lacks
 * ({@code localhost}), and a client without the script of the topology names racks that it lacks. Guarded by the
 * scheduler's lock.
 */
public final class ClusterPlaces implements DelayScheduling.Places {
    private final ClusterNodeTracker<HeddleNode> tracker;
    private long version;

    public ClusterPlaces(ClusterNodeTracker<HeddleNode> tracker) {
        this.tracker = tracker;
    }

    /** A node has come or gone. */
    public void changed() {
        version++;
    }

    @Override
    public long version() {
        return version;
    }

    @Override
    public NodeType best(AppSchedulingInfo asks, SchedulerRequestKey key) {
        AppPlacementAllocator<?> placement = asks.getAppPlacementAllocator(key);
        if (placement == null) {
            return NodeType.OFF_SWITCH;
        }
        NodeType best = NodeType.OFF_SWITCH;
        for (Map.Entry<String, ResourceRequest> named :
                placement.getResourceRequests().entrySet()) {
            String name = named.getKey();
            if (ResourceRequest.isAnyLocation(name) || named.getValue().getNumContainers() == 0) {
                continue;
            }
            if (tracker.nodeCount(name) > 0) {
                best = NodeType.RACK_LOCAL;
            } else if (isOnANamedRack(name, asks, key)) {
                return NodeType.NODE_LOCAL;
            }
        }
        return best;
    }

    /** YARN calls a container local to its node only if the ask names the node's rack, too. */
    private boolean isOnANamedRack(String host, AppSchedulingInfo asks, SchedulerRequestKey key) {
        for (HeddleNode node : tracker.getNodesByResourceName(host)) {
            if (asks.getPendingAsk(key, node.getRackName()).getCount() > 0) {
                return true;
            }
        }
        return false;
    }
}
