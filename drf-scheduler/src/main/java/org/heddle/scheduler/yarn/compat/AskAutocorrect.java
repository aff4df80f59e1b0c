// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn.compat;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.List;
import java.util.concurrent.locks.Lock;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerApplicationAttempt;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.YarnScheduler;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Corrects asks that count containers again which were allocated in the meantime and which the ApplicationMaster has
 * not received yet. Hadoop 3.5 does this if {@code yarn.resourcemanager.scheduler.autocorrect.container.allocation}
 * is true ({@code AbstractYarnScheduler.autoCorrectContainerAllocation}). Hadoop 3.4 has no such method, so the
 * method is looked up once by reflection.
 */
public final class AskAutocorrect {
    private static final Logger LOG = LoggerFactory.getLogger(AskAutocorrect.class);
    private static final String METHOD = "autoCorrectContainerAllocation";

    private final @Nullable MethodHandle correction;

    private AskAutocorrect(@Nullable MethodHandle correction) {
        this.correction = correction;
    }

    /**
     * @param scheduler the scheduler that receives the asks
     *
     * @param lookup a lookup of the scheduler's class, which may call its protected methods
     * @param conf tells whether asks are corrected
     */
    public static AskAutocorrect of(YarnScheduler scheduler, MethodHandles.Lookup lookup, Configuration conf) {
        if (!conf.getBoolean(
                YarnConfiguration.RM_SCHEDULER_AUTOCORRECT_CONTAINER_ALLOCATION,
                YarnConfiguration.DEFAULT_RM_SCHEDULER_AUTOCORRECT_CONTAINER_ALLOCATION)) {
            return new AskAutocorrect(null);
        }
        try {
            MethodType type = MethodType.methodType(void.class, List.class, SchedulerApplicationAttempt.class);
            return new AskAutocorrect(
                    lookup.findVirtual(lookup.lookupClass(), METHOD, type).bindTo(scheduler));
        } catch (NoSuchMethodException | IllegalAccessException e) {
            LOG.warn(
                    "{} is set, but this Hadoop cannot correct asks; it takes 3.5 or newer",
                    YarnConfiguration.RM_SCHEDULER_AUTOCORRECT_CONTAINER_ALLOCATION);
            return new AskAutocorrect(null);
        }
    }

    /**
     * Corrects asks, if this is switched on, and updates the attempt with them. A correction may release containers,
     * which takes the scheduler's lock; that lock must be taken before the attempt's.
     */
    public void correct(
            List<ResourceRequest> asks, SchedulerApplicationAttempt attempt, Lock schedulerLock, Runnable takeOver) {
        if (correction == null) {
            takeOver.run();
            return;
        }
        schedulerLock.lock();
        attempt.getWriteLock().lock();
        try {
            invoke(correction, asks, attempt);
            takeOver.run();
        } finally {
            attempt.getWriteLock().unlock();
            schedulerLock.unlock();
        }
    }

    private static void invoke(
            MethodHandle correction, List<ResourceRequest> asks, SchedulerApplicationAttempt attempt) {
        try {
            correction.invokeExact(asks, attempt);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException(METHOD + " declares no checked exception", e);
        }
    }
}
