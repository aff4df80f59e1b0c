// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn.report;

import java.util.Locale;
import java.util.function.Supplier;
import org.apache.hadoop.metrics2.MetricsCollector;
import org.apache.hadoop.metrics2.MetricsRecordBuilder;
import org.apache.hadoop.metrics2.MetricsSource;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.hadoop.metrics2.lib.Interns;
import org.heddle.scheduler.snapshot.AllocationDelayReport;
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
        record.addGauge(Interns.info("JainIndex", "Jain's fairness index of the users who wait"), snapshot.jainIndex());
        record.addGauge(Interns.info("Nodes", "Nodes that take containers"), snapshot.nodes());
        record.addGauge(Interns.info("ReservedNodes", "Nodes held for one large ask"), snapshot.reservedNodes());
        record.addGauge(
                Interns.info("ConfigurationRefused", "1 while a newer configuration is refused"),
                snapshot.configuration().problem() == null ? 0 : 1);
        snapshot.counters()
                .forEach((name, count) -> record.addGauge(
                        Interns.info(inCamelCase(name), "Counted since start: " + name), count.longValue()));
        AllocationDelayReport.Recent delays = snapshot.allocationDelays().recent();
        quantile(record, "P50", "Half", delays == null ? 0 : delays.median());
        quantile(record, "P95", "95 %", delays == null ? 0 : delays.p95());
        quantile(record, "P99", "99 %", delays == null ? 0 : delays.p99());
    }

    private static void quantile(MetricsRecordBuilder record, String name, String part, double millis) {
        String what = part + " of the containers of the last minutes came within this time of their request";
        record.addGauge(Interns.info("AllocationDelayMillis" + name, what), Math.round(millis));
    }

    private static String inCamelCase(String name) {
        StringBuilder camel = new StringBuilder();
        for (String word : name.split("-", -1)) {
            camel.append(word.substring(0, 1).toUpperCase(Locale.ROOT)).append(word.substring(1));
        }
        return camel.toString();
    }
}
