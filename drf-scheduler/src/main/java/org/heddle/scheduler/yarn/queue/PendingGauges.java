// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn.queue;

import org.apache.hadoop.metrics2.lib.MetricsRegistry;
import org.apache.hadoop.metrics2.lib.MutableGaugeInt;
import org.apache.hadoop.thirdparty.com.google.common.primitives.Ints;
import org.apache.hadoop.yarn.api.records.Resource;

/**
 * Containers and vcores that are asked for. Hadoop adds them up in an int, which overflows when a few applications ask for
 * very many; here they are counted in a long, and the gauge shows the largest int instead.
 */
final class PendingGauges {
    private final MetricsRegistry registry;
    private long containers;
    private long vcores;

    PendingGauges(MetricsRegistry registry) {
        this.registry = registry;
    }

    /** Called after Hadoop has changed its gauges by so many containers of one size; fewer than 0 are not asked for any more. */
    synchronized void add(int more, Resource each) {
        containers += more;
        vcores += (long) more * each.getVirtualCores();
        set("PendingContainers", containers);
        set("PendingVCores", vcores);
    }

    private void set(String gauge, long value) {
        if (registry.get(gauge) instanceof MutableGaugeInt pending) {
            pending.set(Ints.saturatedCast(value));
        }
    }
}
