// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.config.schema;

import static org.heddle.scheduler.config.schema.ElementSchema.valued;

import org.heddle.scheduler.config.schema.ElementSchema.Valued;
import org.heddle.scheduler.model.AllocationMode;
import org.heddle.settings.ValueKind;

/** The elements of {@code heddle-scheduler.xml} about when containers are allocated, and on which node. */
public final class AllocationSchema {
    public static final Valued<AllocationMode.Moment> ALLOCATION = valued(
            "allocation",
            ValueKind.oneOf(AllocationMode.Moment.class),
            AllocationMode.DEFAULT.moment(),
            ValueKind.written(AllocationMode.DEFAULT.moment()),
            "immediate: containers are allocated as soon as a request arrives or resources are freed, on any node, so that a"
                    + " small request does not wait; of a large one the rest is allocated at the heartbeats of nodes, which divide"
                    + " the cluster among all that ask. heartbeat: only on a node at the heartbeat of the node.");
    public static final Valued<AllocationMode.NodeChoice> NODE_CHOICE = valued(
            "node-choice",
            ValueKind.oneOf(AllocationMode.NodeChoice.class),
            AllocationMode.DEFAULT.nodeChoice(),
            ValueKind.written(AllocationMode.DEFAULT.nodeChoice()),
            "For immediate allocation: which of the nodes with free resources gets the container, among those that the request"
                    + " prefers, if there are any. spread: the least loaded; pack: the most loaded; random: the less loaded of"
                    + " two that are chosen at random.");

    private AllocationSchema() {}
}
