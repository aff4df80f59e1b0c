// SPDX-License-Identifier: Apache-2.0
package org.heddle.testkit;

import java.util.Map;

/**
 * Hadoop's own values of what the clusters of this library set for speed or for small machines. A measurement sets
 * them, so that it sees what users see.
 */
public final class HadoopDefaults {
    private static final Map<String, String> VALUES = Map.ofEntries(
            Map.entry("yarn.resourcemanager.nodemanagers.heartbeat-interval-ms", "1000"),
            Map.entry("yarn.app.mapreduce.am.scheduler.heartbeat.interval-ms", "1000"),
            Map.entry("yarn.scheduler.minimum-allocation-mb", "1024"),
            Map.entry("yarn.scheduler.maximum-allocation-mb", "8192"),
            Map.entry("yarn.scheduler.maximum-allocation-vcores", "4"),
            Map.entry("yarn.resource-types.memory-mb.increment-allocation", "1024"),
            Map.entry("mapreduce.map.memory.mb", "1024"),
            Map.entry("yarn.app.mapreduce.am.resource.mb", "1536"),
            Map.entry("yarn.resourcemanager.work-preserving-recovery.scheduling-wait-ms", "10000"),
            Map.entry("yarn.resourcemanager.connect.retry-interval.ms", "30000"),
            // Hadoop takes these three from the one before, if nobody sets them.
            Map.entry("yarn.nodemanager.resourcemanager.connect.retry-interval.ms", "30000"),
            Map.entry("yarn.client.failover-sleep-base-ms", "30000"),
            Map.entry("yarn.client.failover-sleep-max-ms", "30000"));

    private HadoopDefaults() {}

    /** For the builder of a cluster. */
    public static Map<String, String> all() {
        return VALUES;
    }
}
