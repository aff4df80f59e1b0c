// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn.queue;

import org.apache.hadoop.metrics2.lib.MetricsRegistry;
import org.apache.hadoop.metrics2.lib.MutableGaugeFloat;
import org.apache.hadoop.metrics2.lib.MutableGaugeLong;
import org.apache.hadoop.metrics2.lib.MutableMetric;

/**
 * The gauges that CapacityScheduler adds to YARN's metrics of a queue ({@code CSQueueMetrics}), under the same names.
 * They are made when they are first set, so that a queue has them under its file only.
 */
public final class CapacityGauges {
    private static final int MEMORY = 0;
    private static final int VCORES = 1;

    private final MetricsRegistry registry;

    CapacityGauges(MetricsRegistry registry) {
        this.registry = registry;
    }

    /**
     * Sets all of them. Under the scheduler's lock.
     *
     * @param cluster what the cluster has, per resource
     * @param used the part of the cluster that the queue uses
     * @param masterLimit maximum of all ApplicationMasters per resource, 0 for no limit
     * @param masterUsage usage of all ApplicationMasters per resource
     */
    public void set(
            HeddleQueue queue,
            QueueLimits limits,
            long[] cluster,
            double used,
            long[] masterLimit,
            long[] masterUsage) {
        HeddleQueue parent = queue.parent();
        double capacity = capacity(queue);
        double above = parent == null ? 1 : capacity(parent);
        long[] most = limits.most(queue);
        set("GuaranteedCapacity", "Part of the parent", above > 0 ? capacity / above : 0);
        set("GuaranteedAbsoluteCapacity", "Part of the cluster", capacity);
        set("MaxCapacity", "Largest part of the parent's maximum", limits.partOfParent(queue));
        set("MaxAbsoluteCapacity", "Largest part of the cluster", limits.partOfCluster(queue));
        set("UsedCapacity", "Used part of the capacity", capacity > 0 ? used / capacity : 0);
        set("AbsoluteUsedCapacity", "Used part of the cluster", used);
        set("GuaranteedMB", "Guaranteed memory in MB", Math.round(queue.capacity(MEMORY) * cluster[MEMORY]));
        set("GuaranteedVCores", "Guaranteed vcores", Math.round(queue.capacity(VCORES) * cluster[VCORES]));
        set("MaxCapacityMB", "Maximum memory in MB", most[MEMORY]);
        set("MaxCapacityVCores", "Maximum vcores", most[VCORES]);
        set("AMResourceLimitMB", "Memory for ApplicationMasters in MB", masterLimit[MEMORY]);
        set("AMResourceLimitVCores", "Vcores for ApplicationMasters", masterLimit[VCORES]);
        set("UsedAMResourceMB", "Memory of ApplicationMasters in MB", masterUsage[MEMORY]);
        set("UsedAMResourceVCores", "Vcores of ApplicationMasters", masterUsage[VCORES]);
    }

    private static double capacity(HeddleQueue queue) {
        return Math.max(queue.capacity(MEMORY), queue.capacity(VCORES));
    }

    private void set(String name, String description, double value) {
        MutableMetric known = registry.get(name);
        if (known instanceof MutableGaugeFloat gauge) {
            gauge.set((float) value);
        } else if (known == null) {
            registry.newGauge(name, description, (float) value);
        }
    }

    private void set(String name, String description, long value) {
        MutableMetric known = registry.get(name);
        if (known instanceof MutableGaugeLong gauge) {
            gauge.set(value);
        } else if (known == null) {
            registry.newGauge(name, description, value);
        }
    }
}
