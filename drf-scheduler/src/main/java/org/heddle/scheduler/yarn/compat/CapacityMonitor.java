// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn.compat;

import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.conf.YarnConfiguration;

/**
 * The monitors of CapacityScheduler, of which that of preemption is on by default where monitors are. They refuse to
 * start with any other scheduler, and the ResourceManager with them. The scheduler here preempts by itself.
 */
public final class CapacityMonitor {
    private static final String MANAGER = "org.apache.hadoop.yarn.server.resourcemanager.";
    private static final List<String> PACKAGES =
            List.of(MANAGER + "monitor.capacity.", MANAGER + "scheduler.capacity.");

    private CapacityMonitor() {}

    /** The same configuration without these monitors; other monitors stay. */
    public static Configuration without(Configuration conf) {
        if (!conf.getBoolean(
                YarnConfiguration.RM_SCHEDULER_ENABLE_MONITORS,
                YarnConfiguration.DEFAULT_RM_SCHEDULER_ENABLE_MONITORS)) {
            return conf;
        }
        List<String> others = Arrays.stream(conf.getTrimmedStrings(YarnConfiguration.RM_SCHEDULER_MONITOR_POLICIES))
                .filter(policy -> PACKAGES.stream().noneMatch(policy::startsWith))
                .toList();
        Configuration rest = new Configuration(conf);
        rest.setBoolean(YarnConfiguration.RM_SCHEDULER_ENABLE_MONITORS, !others.isEmpty());
        rest.setStrings(YarnConfiguration.RM_SCHEDULER_MONITOR_POLICIES, others.toArray(String[]::new));
        return rest;
    }
}
