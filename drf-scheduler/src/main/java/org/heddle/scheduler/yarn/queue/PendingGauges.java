// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn.queue;

import org.apache.hadoop.metrics2.lib.MetricsRegistry;
import org.apache.hadoop.metrics2.lib.MutableGaugeInt;
import org.apache.hadoop.metrics2.lib.MutableGaugeLong;
import org.apache.hadoop.metrics2.lib.MutableMetric;
import org.apache.hadoop.thirdparty.com.google.common.primitives.Ints;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.QueueMetrics;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.QueueMetricsForCustomResources;
import org.jspecify.annotations.Nullable;

/**
 * The gauges of what is asked for, in the metrics of a queue, a user or a partition. Only this sets them: Hadoop adds
 * vcores and containers up in an int, which overflows when a few applications ask for very many; here they are counted
 * in a long, and the gauge shows the largest int instead.
 */
final class PendingGauges {
    /** Metrics with such gauges. */
    interface Owner {
        PendingGauges pending();
    }

    private final QueueMetrics metrics;
    private final MetricsRegistry registry;
    private long containers;
    private long megabytes;
    private long vcores;

    PendingGauges(QueueMetrics metrics, MetricsRegistry registry) {
        this.metrics = metrics;
        this.registry = registry;
    }

    /**
     * Adds so many containers of one size; fewer than 0 are not asked for any more.
     *
     * @param to null for metrics that are gone: nothing is done
     */
    static void add(@Nullable QueueMetrics to, int more, Resource each) {
        if (to instanceof Owner owner) {
            owner.pending().add(more, each);
        }
    }

    private synchronized void add(int more, Resource each) {
        containers += more;
        megabytes += more * each.getMemorySize();
        vcores += (long) more * each.getVirtualCores();
        set("PendingContainers", containers);
        set("PendingMB", megabytes);
        set("PendingVCores", vcores);
        QueueMetricsForCustomResources others = metrics.getQueueMetricsForCustomResources();
        if (others != null) { // null: no resource types besides memory and vcores
            others.increasePending(each, more);
            others.getPendingValues().forEach((name, value) -> set("PendingResource." + name, value));
        }
    }

    private void set(String gauge, long value) {
        MutableMetric pending = registry.get(gauge); // known only when the metrics are registered
        if (pending instanceof MutableGaugeInt of32Bits) {
            of32Bits.set(Ints.saturatedCast(value));
        } else if (pending instanceof MutableGaugeLong of64Bits) {
            of64Bits.set(value);
        }
    }
}
