// SPDX-License-Identifier: Apache-2.0
package org.heddle.whatif.replay;

import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.server.resourcemanager.RMContext;
import org.apache.hadoop.yarn.server.resourcemanager.monitor.SchedulingEditPolicy;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.ResourceScheduler;

/**
 * Stands for CapacityScheduler's preemption policy where the ResourceManager would run it on a thread: the replay runs
 * the real one itself. Queues are preemptable only while a policy is configured.
 */
public final class IdlePolicy implements SchedulingEditPolicy {
    @Override
    public void init(Configuration conf, RMContext context, ResourceScheduler scheduler) {
        // Nothing to prepare.
    }

    @Override
    public void editSchedule() {
        // The replay does it.
    }

    @Override
    public long getMonitoringInterval() {
        return TimeUnit.DAYS.toMillis(1);
    }

    @Override
    public String getPolicyName() {
        return "idle";
    }
}
