// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn.report;

import java.util.Locale;
import java.util.function.Supplier;
import org.apache.hadoop.metrics2.MetricsCollector;
import org.apache.hadoop.metrics2.MetricsInfo;
import org.apache.hadoop.metrics2.MetricsRecordBuilder;
import org.apache.hadoop.metrics2.MetricsSource;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.hadoop.metrics2.lib.Interns;
import org.heddle.scheduler.snapshot.AllocationDelayReport;
import org.heddle.scheduler.snapshot.Metric;
import org.heddle.scheduler.snapshot.SchedulerSnapshot;

/**
 * The scheduler's metrics in Hadoop's metrics system (JMX bean {@code Hadoop:service=ResourceManager,
 * name=HeddleScheduler}); Hadoop's {@code QueueMetrics} publishes those of the queues.
 */
public final class SchedulerMetrics implements MetricsSource {
    static final String NAME = "HeddleScheduler";

    private final Supplier<SchedulerSnapshot> snapshots;

    private SchedulerMetrics(Supplier<SchedulerSnapshot> snapshots) {
        this.snapshots = snapshots;
    }

    public static void register(Supplier<SchedulerSnapshot> snapshots) {
        unregister(); // an earlier scheduler of this process may have left one
        DefaultMetricsSystem.instance().register(NAME, "Heddle scheduler", new SchedulerMetrics(snapshots));
    }

    public static void unregister() {
        DefaultMetricsSystem.instance().unregisterSource(NAME);
    }

    @Override
    public void getMetrics(MetricsCollector collector, boolean all) {
        SchedulerSnapshot snapshot = snapshots.get();
        MetricsRecordBuilder record = collector.addRecord(NAME).setContext("yarn");
        record.addGauge(info(Metric.JAIN_INDEX), snapshot.jainIndex());
        record.addGauge(info(Metric.NODES), snapshot.nodes());
        record.addGauge(info(Metric.RESERVED_NODES), snapshot.reservedNodes());
        record.addGauge(
                info(Metric.CONFIGURATION_REFUSED), snapshot.configuration().problem() == null ? 0 : 1);
        snapshot.counters().forEach((name, count) -> {
            Metric metric = Metric.ofCount(name);
            if (metric != null && metric.type() == Metric.Type.COUNTER) {
                record.addCounter(info(metric), count);
            } else if (metric != null) {
                record.addGauge(info(metric), count);
            }
        });
        AllocationDelayReport.Recent delays = snapshot.allocationDelays().recent();
        quantile(record, "P50", "Half", delays == null ? 0 : delays.median());
        quantile(record, "P95", "95 %", delays == null ? 0 : delays.p95());
        quantile(record, "P99", "99 %", delays == null ? 0 : delays.p99());
    }

    private static void quantile(MetricsRecordBuilder record, String name, String part, double millis) {
        String what = part + " of the containers of the last minutes came within this time of their request";
        record.addGauge(Interns.info("AllocationDelayMillis" + name, what), Math.round(millis));
    }

    private static MetricsInfo info(Metric metric) {
        StringBuilder camel = new StringBuilder();
        for (String word : metric.name().split("_", -1)) {
            camel.append(word.charAt(0)).append(word.substring(1).toLowerCase(Locale.ROOT));
        }
        return Interns.info(camel.toString(), metric.help());
    }
}
