// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn.reservation;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.exceptions.YarnException;
import org.apache.hadoop.yarn.exceptions.YarnRuntimeException;
import org.apache.hadoop.yarn.server.resourcemanager.RMContext;
import org.apache.hadoop.yarn.server.resourcemanager.reservation.AbstractReservationSystem;
import org.apache.hadoop.yarn.server.resourcemanager.reservation.Plan;
import org.apache.hadoop.yarn.server.resourcemanager.reservation.ReservationSchedulerConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.QueueMetrics;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.YarnScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.security.ReservationsACLsManager;
import org.apache.hadoop.yarn.util.resource.ResourceCalculator;
import org.heddle.scheduler.yarn.queue.HeddleQueue;
import org.jspecify.annotations.Nullable;

/**
 * YARN's reservation system for this scheduler. YARN knows one for each of its own two schedulers only, so {@link
 * #install} names this one where the admin has switched reservations on and named none.
 */
public final class HeddleReservationSystem extends AbstractReservationSystem {
    private PlanScheduler scheduler;
    private @Nullable ReservationAccess access;

    /** Made by YARN, which sets the context before anything else. */
    @SuppressWarnings("NullAway.Init")
    public HeddleReservationSystem() {
        super(HeddleReservationSystem.class.getName());
    }

    /**
     * To be called with the ResourceManager's own configuration before it makes its services: {@code
     * ResourceScheduler.setRMContext} is the moment. What an admin has set stays.
     */
    public static void install(@Nullable Configuration conf) {
        if (conf != null
                && conf.getBoolean(
                        YarnConfiguration.RM_RESERVATION_SYSTEM_ENABLE,
                        YarnConfiguration.DEFAULT_RM_RESERVATION_SYSTEM_ENABLE)
                && conf.get(YarnConfiguration.RM_RESERVATION_SYSTEM_CLASS) == null) {
            conf.set(YarnConfiguration.RM_RESERVATION_SYSTEM_CLASS, HeddleReservationSystem.class.getName());
        }
    }

    static PlanScheduler ours(YarnScheduler scheduler) {
        if (scheduler instanceof PlanScheduler heddle) {
            return heddle;
        }
        throw new YarnRuntimeException(YarnConfiguration.RM_RESERVATION_SYSTEM_CLASS + " = "
                + HeddleReservationSystem.class.getName() + " works with Heddle's schedulers only, and "
                + YarnConfiguration.RM_SCHEDULER + " is " + scheduler.getClass().getName() + ": change one of the two");
    }

    @Override
    public void setRMContext(RMContext context) {
        super.setRMContext(context);
        scheduler = ours(context.getScheduler());
    }

    @Override
    public void serviceInit(Configuration conf) throws Exception {
        Configuration own = new Configuration(conf);
        own.setIfUnset(YarnConfiguration.RM_RESERVATION_SYSTEM_PLAN_FOLLOWER, HeddlePlanFollower.class.getName());
        if (own.getBoolean(YarnConfiguration.YARN_ACL_ENABLE, YarnConfiguration.DEFAULT_YARN_ACL_ENABLE)
                && own.getBoolean(
                        YarnConfiguration.YARN_RESERVATION_ACL_ENABLE,
                        YarnConfiguration.DEFAULT_YARN_RESERVATION_ACL_ENABLE)) {
            access = new ReservationAccess(own, scheduler.planQueues());
        }
        super.serviceInit(own);
    }

    @Override
    @SuppressWarnings("NullAway") // null means: nobody is kept from anything
    public ReservationsACLsManager getReservationsACLsManager() {
        return access;
    }

    /** Clients may name a queue with or without {@code root.}, or by its last part. */
    @Override
    @SuppressWarnings("NullAway") // null means: nothing can be reserved there
    public Plan getPlan(String name) {
        HeddleQueue queue = scheduler.planQueues().find(name);
        return queue == null ? null : super.getPlan(queue.getQueueName());
    }

    @Override
    public void synchronizePlan(String name, boolean shouldReplan) {
        HeddleQueue queue = scheduler.planQueues().find(name);
        if (queue != null) {
            super.synchronizePlan(queue.getQueueName(), shouldReplan);
        }
    }

    @Override
    protected Plan initializePlan(String planName) throws YarnException {
        try {
            return super.initializePlan(planName);
        } catch (YarnRuntimeException e) {
            throw new YarnRuntimeException(
                    "Queue " + planName + " cannot be reserved: " + e.getMessage()
                            + "; correct the <plan> of that queue",
                    e);
        }
    }

    @Override
    protected ReservationSchedulerConfiguration getReservationSchedulerConfiguration() {
        return new PlanTerms(scheduler.planQueues());
    }

    @Override
    protected String getPlanQueuePath(String planName) {
        return planName;
    }

    @Override
    protected Resource getPlanQueueCapacity(String planName) {
        HeddleQueue queue = scheduler.planQueues().find(planName);
        if (queue == null) {
            throw new YarnRuntimeException("Queue " + planName + " cannot be reserved: it has no <plan>");
        }
        return scheduler.planQueues().capacity(queue);
    }

    @Override
    protected Resource getMinAllocation() {
        return scheduler.getMinimumResourceCapability();
    }

    @Override
    protected Resource getMaxAllocation() {
        return scheduler.getMaximumResourceCapability();
    }

    @Override
    protected ResourceCalculator getResourceCalculator() {
        return scheduler.getResourceCalculator();
    }

    @Override
    protected QueueMetrics getRootQueueMetrics() {
        return scheduler.getRootQueueMetrics();
    }
}
