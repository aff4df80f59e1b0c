// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn.placement;

import java.util.Map;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.AppSchedulingInfo;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.NodeType;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.placement.AppPlacementAllocator;
import org.heddle.scheduler.engine.RoomIndex;
import org.heddle.scheduler.yarn.app.Ask;
import org.heddle.scheduler.yarn.app.DelayScheduling;
import org.heddle.scheduler.yarn.app.DelayScheduling.Sighting;
import org.jspecify.annotations.Nullable;

/**
 * Which of the nodes and racks that asks name the cluster has, and whether these have room. Stores outside of it name
 * hosts that it lacks ({@code localhost}), and a client without the script of the topology names racks that it lacks.
 * Guarded by the scheduler's lock.
 */
public final class ClusterPlaces implements DelayScheduling.Places {
    private final NodeIndex index;

    public ClusterPlaces(NodeIndex index) {
        this.index = index;
    }

    @Override
    public int count() {
        return index.size();
    }

    @Override
    public long version() {
        return index.version();
    }

    @Override
    public NodeType best(AppSchedulingInfo asks, Ask ask) {
        AppPlacementAllocator<?> wishes = asks.getAppPlacementAllocator(ask.key());
        if (wishes == null) {
            return NodeType.OFF_SWITCH;
        }
        Map<String, ResourceRequest> named = wishes.getResourceRequests();
        NodeType best = NodeType.OFF_SWITCH;
        for (String name : named.keySet()) {
            if (ResourceRequest.isAnyLocation(name) || !isNamed(name, named)) {
                continue;
            }
            if (index.hasRack(name)) {
                best = NodeType.RACK_LOCAL;
            }
            for (IndexedNode node : index.named(name)) {
                if (isNamed(node, named, NodeType.NODE_LOCAL)) {
                    return NodeType.NODE_LOCAL;
                }
            }
        }
        return best;
    }

    /** {@inheritDoc} O(1) unless more nodes have got room since the last look than the index remembers. */
    @Override
    public boolean haveRoom(AppSchedulingInfo asks, Ask ask, NodeType level, Sighting last) {
        AppPlacementAllocator<?> wishes = asks.getAppPlacementAllocator(ask.key());
        IndexedPartition partition = wishes == null ? null : index.partition(wishes);
        if (wishes == null || partition == null) {
            return false;
        }
        index.refresh();
        Map<String, ResourceRequest> named = wishes.getResourceRequests();
        if (last.room() instanceof IndexedNode before && isRoom(before, asks, ask, named, partition, level)) {
            return true;
        }
        IndexedNode found;
        if (index.remembersGrowth(last.fullSince())) {
            found = amongGrown(last.fullSince(), asks, ask, named, partition, level);
        } else {
            found = amongAll(asks, ask, named, partition, level);
        }
        last.set(found, index.growths());
        return found != null;
    }

    /** Among the nodes that have got room since then: before that, none of those named had any. */
    private @Nullable IndexedNode amongGrown(
            long since,
            AppSchedulingInfo asks,
            Ask ask,
            Map<String, ResourceRequest> named,
            IndexedPartition partition,
            NodeType level) {
        for (long at = since; at < index.growths(); at++) {
            IndexedNode grown = index.grown(at);
            if (isRoom(grown, asks, ask, named, partition, level)) {
                return grown;
            }
        }
        return null;
    }

    private @Nullable IndexedNode amongAll(
            AppSchedulingInfo asks,
            Ask ask,
            Map<String, ResourceRequest> named,
            IndexedPartition partition,
            NodeType level) {
        for (String name : named.keySet()) {
            if (level == NodeType.NODE_LOCAL) {
                for (IndexedNode node : index.named(name)) {
                    if (isRoom(node, asks, ask, named, partition, level)) {
                        return node;
                    }
                }
            } else {
                RoomIndex<IndexedNode> rack = partition.racks().get(name);
                int first = rack == null ? RoomIndex.NONE : rack.first(ask.size(), false);
                if (rack != null
                        && first != RoomIndex.NONE
                        && isRoom(rack.item(first), asks, ask, named, partition, level)) {
                    return rack.item(first);
                }
            }
        }
        return null;
    }

    /** Whether a node is near to what the ask names, and may serve it at its next heartbeat. */
    private static boolean isRoom(
            IndexedNode node,
            AppSchedulingInfo asks,
            Ask ask,
            Map<String, ResourceRequest> named,
            IndexedPartition partition,
            NodeType level) {
        return node.partition == partition
                && node.fits(ask.size())
                && isNamed(node, named, level)
                && (level == NodeType.NODE_LOCAL || asks.canDelayTo(ask.key(), node.node.getRackName()))
                && !node.node.isKept()
                && !asks.isPlaceBlacklisted(node.node.getNodeName(), false)
                && !asks.isPlaceBlacklisted(node.node.getRackName(), false);
    }

    /** YARN calls a container local to its node only if the ask names the node's rack, too. */
    private static boolean isNamed(IndexedNode node, Map<String, ResourceRequest> named, NodeType level) {
        return isNamed(node.node.getRackName(), named)
                && (level != NodeType.NODE_LOCAL || isNamed(node.node.getNodeName(), named));
    }

    private static boolean isNamed(String place, Map<String, ResourceRequest> named) {
        ResourceRequest request = named.get(place);
        return request != null && request.getNumContainers() > 0;
    }
}
