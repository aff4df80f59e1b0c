// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.rm;

import java.util.HashMap;
import java.util.Map;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.util.resource.Resources;

/** The driver's own books: a scheduler that gives what is not there, or the same twice, is found out. */
final class AllocationChecker {
    private final Map<ContainerId, Container> live = new HashMap<>();
    private final Map<NodeId, Resource> used = new HashMap<>();
    private final Resource nodeSize;
    private final boolean memoryOnly;

    /** @param memoryOnly whether the scheduler counts memory alone, as FifoScheduler does */
    AllocationChecker(Resource nodeSize, boolean memoryOnly) {
        this.nodeSize = nodeSize;
        this.memoryOnly = memoryOnly;
    }

    /** @throws IllegalStateException if the container is there already or does not fit its node */
    void given(Container container) {
        if (live.put(container.getId(), container) != null) {
            throw new IllegalStateException(container.getId() + " was given twice");
        }
        Resource there = used.computeIfAbsent(container.getNodeId(), node -> Resource.newInstance(0, 0));
        Resources.addTo(there, container.getResource());
        boolean tooMuch = there.getMemorySize() > nodeSize.getMemorySize()
                || (!memoryOnly && there.getVirtualCores() > nodeSize.getVirtualCores());
        if (tooMuch) {
            throw new IllegalStateException(container.getNodeId() + " has " + nodeSize + " and was given out " + there);
        }
    }

    /** @throws IllegalStateException if there is no such container */
    void ended(Container container) {
        if (live.remove(container.getId()) == null) {
            throw new IllegalStateException(container.getId() + " ended and was never given");
        }
        Resources.subtractFrom(there(container.getNodeId()), container.getResource());
    }

    private Resource there(NodeId node) {
        return used.computeIfAbsent(node, one -> Resource.newInstance(0, 0));
    }

    /** @throws IllegalStateException if the scheduler's own figure for a node is another */
    void compare(NodeId node, Resource unallocated) {
        Resource expected = Resources.subtract(nodeSize, there(node));
        if (expected.getMemorySize() != unallocated.getMemorySize()
                || expected.getVirtualCores() != unallocated.getVirtualCores()) {
            throw new IllegalStateException(node + " has " + expected + " left, and its scheduler says " + unallocated);
        }
    }

    int live() {
        return live.size();
    }
}
