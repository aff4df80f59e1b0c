// SPDX-License-Identifier: Apache-2.0
package org.heddle.whatif.driven;

import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.util.resource.Resources;

/** The driver's own books: a scheduler that allocates what is not there, or the same container twice, is found out. */
public final class AllocationChecker {
    private final Map<ContainerId, Container> live = new HashMap<>();
    private final Map<NodeId, Resource> used = new HashMap<>();
    private final Function<NodeId, Resource> sizes;
    private final boolean memoryOnly;

    /**
     * @param sizes the size of each node
     * @param memoryOnly whether the scheduler counts memory alone, as FifoScheduler does
     */
    public AllocationChecker(Function<NodeId, Resource> sizes, boolean memoryOnly) {
        this.sizes = sizes;
        this.memoryOnly = memoryOnly;
    }

    /**
     * @throws IllegalStateException if the container is smaller than what was asked for, and as {@link
     *     #given(Container)}
     */
    public void given(Container container, Resource wanted) {
        Resource size = container.getResource();
        if (size.getMemorySize() < wanted.getMemorySize()
                || (!memoryOnly && size.getVirtualCores() < wanted.getVirtualCores())) {
            throw new IllegalStateException(container.getId() + " has " + size + " and was asked for with " + wanted);
        }
        given(container);
    }

    /** @throws IllegalStateException if the container is there already or does not fit its node */
    public void given(Container container) {
        if (live.put(container.getId(), container) != null) {
            throw new IllegalStateException(container.getId() + " was given twice");
        }
        Resource there = there(container.getNodeId());
        Resources.addTo(there, container.getResource());
        Resource size = sizes.apply(container.getNodeId());
        boolean tooMuch = there.getMemorySize() > size.getMemorySize()
                || (!memoryOnly && there.getVirtualCores() > size.getVirtualCores());
        if (tooMuch) {
            throw new IllegalStateException(container.getNodeId() + " has " + size + " and was given out " + there);
        }
    }

    /** @throws IllegalStateException if there is no such container */
    public void ended(Container container) {
        if (live.remove(container.getId()) == null) {
            throw new IllegalStateException(container.getId() + " ended and was never given");
        }
        Resources.subtractFrom(there(container.getNodeId()), container.getResource());
    }

    private Resource there(NodeId node) {
        return used.computeIfAbsent(node, one -> Resource.newInstance(0, 0));
    }

    /** @throws IllegalStateException if the scheduler's own figure for a node is another */
    public void compare(NodeId node, Resource unallocated) {
        Resource expected = Resources.subtract(sizes.apply(node), there(node));
        if (expected.getMemorySize() != unallocated.getMemorySize()
                || expected.getVirtualCores() != unallocated.getVirtualCores()) {
            throw new IllegalStateException(node + " has " + expected + " left, and its scheduler says " + unallocated);
        }
    }

    /** How many containers have been given and have not ended. */
    public int live() {
        return live.size();
    }
}
