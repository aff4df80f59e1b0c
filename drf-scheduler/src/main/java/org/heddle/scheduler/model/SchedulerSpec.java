// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.model;

import java.util.List;
import java.util.Map;

/**
 * Everything that {@code heddle-scheduler.xml} or {@code fair-scheduler.xml} says, validated as a whole.
 *
 * @param root the queue {@code root} with all others below it
 * @param resourceWeights weight of each resource type in dominant shares, applied at every level; 1 where absent
 * @param placement how applications find their queue, tried in order
 * @param schedulingDelays for locality and reservations
 * @param preemption whether and how containers are preempted
 * @param rules other settings of the whole cluster
 * @param maxAssign maximum number of containers that one heartbeat allocates on a node; {@code Integer.MAX_VALUE} for
 *     no limit
 */
public record SchedulerSpec(
        QueueSpec root,
        Map<String, Double> resourceWeights,
        List<PlacementStep> placement,
        SchedulingDelays schedulingDelays,
        PreemptionSettings preemption,
        ClusterRules rules,
        int maxAssign) {
    public SchedulerSpec {
        resourceWeights = Map.copyOf(resourceWeights);
        placement = List.copyOf(placement);
    }
}
