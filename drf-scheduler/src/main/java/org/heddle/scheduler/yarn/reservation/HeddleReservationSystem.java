// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn.reservation;

import java.util.List;
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
 * YARN's reservation system for this scheduler. By default YARN knows one only for each of its own two schedulers, so
 * {@link #install} names this class if the administrator has enabled reservations and named no other.
 */
public final class HeddleReservationSystem extends AbstractReservationSystem {
    private PlanScheduler scheduler;
    private @Nullable ReservationAccess access;

    private static final String HADOOP = "org.apache.hadoop.";

    /** YARN creates this class and sets its context first. */
    @SuppressWarnings("NullAway.Init")
    public HeddleReservationSystem() {
        super(HeddleReservationSystem.class.getName());
    }

    /**
     * Must be called with the ResourceManager's own configuration before it creates its services; {@code
     * ResourceScheduler.setRMContext} is early enough. A value that the administrator has set is kept.
     *
     * @throws YarnRuntimeException if that is a class of Hadoop, which works with its own scheduler only
     */
    public static void install(@Nullable Configuration conf) {
        if (conf == null
                || !conf.getBoolean(
                        YarnConfiguration.RM_RESERVATION_SYSTEM_ENABLE,
                        YarnConfiguration.DEFAULT_RM_RESERVATION_SYSTEM_ENABLE)) {
            return;
        }
        for (String key : List.of(
                YarnConfiguration.RM_RESERVATION_SYSTEM_CLASS, YarnConfiguration.RM_RESERVATION_SYSTEM_PLAN_FOLLOWER)) {
            String value = conf.getTrimmed(key, "");
            if (value.startsWith(HADOOP)) {
                throw new YarnRuntimeException(
                        key + " = " + value + " works with another scheduler only: remove the key;"
                                + " <plan> of a queue, or <reservation/> in FairScheduler's file, is enough");
            }
        }
        conf.setIfUnset(YarnConfiguration.RM_RESERVATION_SYSTEM_CLASS, HeddleReservationSystem.class.getName());
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
    @SuppressWarnings("NullAway") // null means: every user may do everything
    public ReservationsACLsManager getReservationsACLsManager() {
        return access;
    }

    /** Clients may name a queue with or without {@code root.}, or by the last part of its path. */
    @Override
    @SuppressWarnings("NullAway") // null means: this queue takes no reservations
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
