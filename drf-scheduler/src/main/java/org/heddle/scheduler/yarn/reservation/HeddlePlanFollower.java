// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn.reservation;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.yarn.api.records.ReservationId;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.server.resourcemanager.reservation.AbstractSchedulerPlanFollower;
import org.apache.hadoop.yarn.server.resourcemanager.reservation.Plan;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.Queue;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.ResourceScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.QueueEntitlement;
import org.apache.hadoop.yarn.util.Clock;
import org.heddle.scheduler.yarn.queue.HeddleQueue;
import org.jspecify.annotations.Nullable;

/**
 * Sets the queues of reservations and their shares as YARN's plans have them at this moment, every {@code
 * yarn.resourcemanager.reservation-system.planfollower.time-step}. Reservations begin and end at dates (Hadoop's
 * API has no other form), so it uses the scheduler's wall clock.
 *
 * <p>The base class changes one share after another, so that for a moment the queue for applications without a
 * reservation has none. Here all changes of one round take effect together.
 */
public final class HeddlePlanFollower extends AbstractSchedulerPlanFollower {
    @GuardedBy("this")
    private final Map<String, QueueEntitlement> changes = new LinkedHashMap<>();

    private PlanQueues queues;

    /** YARN creates this class and calls {@link #init} first. */
    @SuppressWarnings("NullAway.Init")
    public HeddlePlanFollower() {}

    @Override
    public void init(Clock clock, ResourceScheduler scheduler, Collection<Plan> plans) {
        PlanScheduler heddle = HeddleReservationSystem.ours(scheduler);
        super.init(heddle::date, scheduler, plans); // the scheduler's clock can be replaced later
        queues = heddle.planQueues();
    }

    /**
     * Reservations are dropped for lack of capacity only if the cluster has nodes: a ResourceManager that has just
     * started has none, and it must not lose the reservations that it recovered.
     */
    @Override
    public synchronized void synchronizePlan(Plan plan, boolean shouldReplan) {
        changes.clear();
        super.synchronizePlan(plan, shouldReplan && scheduler.getNumClusterNodes() > 0);
        queues.entitle(changes);
    }

    @Override
    protected synchronized void setQueueEntitlement(String planName, String id, float part, float most) {
        changes.put(getReservationQueueName(planName, id), new QueueEntitlement(part, most));
    }

    @Override
    protected String getReservationQueueName(String planName, String id) {
        return planName + "." + lastPart(id);
    }

    @Override
    protected String getReservationIdFromQueueName(String queueName) {
        return lastPart(queueName);
    }

    private static String lastPart(String path) {
        return path.substring(path.lastIndexOf('.') + 1);
    }

    @Override
    @SuppressWarnings("NullAway") // null means: the queue is no plan any more, so the base class does nothing
    protected Queue getPlanQueue(String planName) {
        return queues.find(planName);
    }

    @Override
    protected List<? extends Queue> getChildReservationQueues(Queue plan) {
        return ((HeddleQueue) plan).children();
    }

    @Override
    protected void addReservationQueue(String planName, Queue plan, String id) {
        queues.add((HeddleQueue) plan, id);
    }

    @Override
    protected void createDefaultReservationQueue(String planName, Queue plan, String id) {
        queues.add((HeddleQueue) plan, id);
    }

    /** Sets the capacity of the plan as well, because the cluster may have grown or shrunk. */
    @Override
    protected Resource getPlanResources(Plan plan, Queue queue, Resource cluster) {
        Resource capacity = queues.capacity((HeddleQueue) queue);
        plan.setTotalCapacity(capacity);
        return capacity;
    }

    @Override
    @SuppressWarnings("NullAway") // null means: the reservation has no queue yet
    protected Resource getReservationQueueResourceIfExists(Plan plan, ReservationId id) {
        @Nullable HeddleQueue queue = queues.find(plan.getQueueName());
        return queue == null ? null : queues.promised(queue, id.toString());
    }
}
