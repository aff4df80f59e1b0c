// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn.compat;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;

/**
 * The partitions under which an attempt's containers are booked. It is a container's own label, but for those that Hadoop
 * makes to change others ({@code ContainerUpdateContext}): they bear no label, or that of their node, which may have
 * been in another partition when the other one began.
 */
public final class BookedPartitions {
    private final Map<ContainerId, String> others = new ConcurrentHashMap<>();

    public String of(RMContainer container) {
        String other = others.isEmpty() ? null : others.get(container.getContainerId());
        return other == null ? container.getNodeLabelExpression() : other;
    }

    public void put(RMContainer container, String partition) {
        if (partition.equals(container.getNodeLabelExpression())) {
            others.remove(container.getContainerId());
        } else {
            others.put(container.getContainerId(), partition);
        }
    }

    /** Containers go on under another attempt. */
    public void putAll(BookedPartitions before) {
        others.putAll(before.others);
    }

    public void remove(ContainerId id) {
        if (!others.isEmpty()) {
            others.remove(id);
        }
    }
}
