// SPDX-License-Identifier: Apache-2.0
package org.heddle.whatif.replay;

import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.monitor.capacity.ProportionalCapacityPreemptionPolicy;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.AbstractYarnScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler;

/** What a scheduler does from time to time, which a running ResourceManager does on threads. */
@FunctionalInterface
public interface Housekeeping {
    void tick(long nowMillis);

    /** That of a scheduler which is started and has the replay's clock. */
    static Housekeeping of(ReplayManager manager, VirtualClock clock) {
        AbstractYarnScheduler<?, ?> scheduler = (AbstractYarnScheduler<?, ?>) manager.getResourceScheduler();
        if (scheduler instanceof ReplayFairScheduler fair) {
            return fair::tick;
        }
        boolean preempts = manager.getConfig()
                .getBoolean(
                        YarnConfiguration.RM_SCHEDULER_ENABLE_MONITORS,
                        YarnConfiguration.DEFAULT_RM_SCHEDULER_ENABLE_MONITORS);
        if (scheduler instanceof CapacityScheduler capacity && preempts) {
            return new CapacityPreemption(
                    new ProportionalCapacityPreemptionPolicy(manager.getRMContext(), capacity, clock));
        }
        return now -> scheduler.update();
    }

    /** CapacityScheduler's preemption, at its own interval. */
    final class CapacityPreemption implements Housekeeping {
        private final ProportionalCapacityPreemptionPolicy policy;
        private long nextMillis;

        CapacityPreemption(ProportionalCapacityPreemptionPolicy policy) {
            this.policy = policy;
        }

        @Override
        public void tick(long nowMillis) {
            if (nowMillis >= nextMillis) {
                nextMillis = nowMillis + policy.getMonitoringInterval();
                policy.editSchedule();
            }
        }
    }
}
