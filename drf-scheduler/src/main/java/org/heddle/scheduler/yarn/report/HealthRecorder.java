// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn.report;

import java.util.Comparator;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import org.apache.hadoop.yarn.api.records.ContainerExitStatus;
import org.apache.hadoop.yarn.api.records.ContainerStatus;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerHealth;
import org.apache.hadoop.yarn.util.resource.Resources;
import org.heddle.scheduler.yarn.node.HeddleNode;
import org.jspecify.annotations.Nullable;

/**
 * Keeps Hadoop's {@link SchedulerHealth} as CapacityScheduler does: what the last heartbeat of a node allocated and
 * reserved, and the last container of each kind. Under the scheduler's lock. Does nothing unless answers have
 * CapacityScheduler's form.
 */
public final class HealthRecorder {
    private final SchedulerHealth health;
    private final BooleanSupplier isWanted;
    private Resource freeBefore = Resources.none();
    private @Nullable RMContainer reservedBefore;

    public HealthRecorder(SchedulerHealth health, BooleanSupplier isWanted) {
        this.health = health;
        this.isWanted = isWanted;
    }

    public void beforeOffer(HeddleNode node) {
        if (isWanted.getAsBoolean()) {
            freeBefore = Resources.clone(node.getUnallocatedResource());
            reservedBefore = node.getReservedContainer();
        }
    }

    /** @param containers that the heartbeat has allocated */
    public void afterOffer(HeddleNode node, int containers, long nowMillis) {
        if (!isWanted.getAsBoolean()) {
            return;
        }
        if (containers > 0) {
            node.getCopiedListOfRunningContainers().stream()
                    .max(Comparator.comparingLong(RMContainer::getCreationTime)
                            .thenComparing(RMContainer::getContainerId))
                    .ifPresent(last -> health.updateAllocation(
                            nowMillis, node.getNodeID(), last.getContainerId(), last.getQueueName()));
        }
        RMContainer reserved = node.getReservedContainer();
        boolean isNew = reserved != null && reserved != reservedBefore;
        if (isNew) {
            RMContainer last = Objects.requireNonNull(reserved);
            health.updateReservation(nowMillis, node.getNodeID(), last.getContainerId(), last.getQueueName());
        }
        health.updateSchedulerAllocationCounts(containers);
        health.updateSchedulerReservationCounts(isNew ? 1 : 0);
        health.updateSchedulerRunDetails(
                nowMillis,
                containers > 0 ? Resources.subtract(freeBefore, node.getUnallocatedResource()) : Resources.none(),
                isNew ? Objects.requireNonNull(reserved).getReservedResource() : Resources.none());
        reservedBefore = null;
    }

    /** A container has ended. */
    public void ended(RMContainer container, ContainerStatus status, long nowMillis) {
        if (!isWanted.getAsBoolean()) {
            return;
        }
        if (status.getExitStatus() == ContainerExitStatus.PREEMPTED) {
            health.updatePreemption(
                    nowMillis, container.getAllocatedNode(), container.getContainerId(), container.getQueueName());
            health.updateSchedulerPreemptionCounts(1);
        } else {
            health.updateRelease(
                    nowMillis, container.getAllocatedNode(), container.getContainerId(), container.getQueueName());
        }
    }
}
