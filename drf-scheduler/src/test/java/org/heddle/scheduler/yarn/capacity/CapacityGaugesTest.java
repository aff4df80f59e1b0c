// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn.capacity;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.metrics2.AbstractMetric;
import org.apache.hadoop.metrics2.annotation.Metric;
import org.apache.hadoop.metrics2.impl.MetricsCollectorImpl;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CSQueueMetrics;
import org.heddle.scheduler.yarn.HeddleScheduler;
import org.heddle.scheduler.yarn.queue.HeddleQueue;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Dashboards of a CapacityScheduler cluster find their gauges. */
@Tag("newer-line")
class CapacityGaugesTest {
    @TempDir
    Path directory;

    @Test
    void aQueueHasTheGaugesThatCapacitySchedulerAdds() throws Exception {
        Path file = Files.writeString(
                directory.resolve("capacity-scheduler.xml"),
                CapacityFile.xml(new TreeMap<>(Map.of(
                        "root.queues", "lab,shop",
                        "root.lab.capacity", "75",
                        "root.shop.capacity", "25",
                        "root.shop.maximum-capacity", "50"))));
        List<String> names = Arrays.stream(CSQueueMetrics.class.getDeclaredFields())
                .filter(field -> field.isAnnotationPresent(Metric.class))
                .map(field -> Character.toUpperCase(field.getName().charAt(0))
                        + field.getName().substring(1))
                .toList();
        assertThat(names).hasSizeGreaterThan(10);
        try (CapacityFixture fixture = new CapacityFixture(CapacityFixture.OURS, file).nodes(100)) {
            CapacityFixture.App app = fixture.app("alice", "shop").ask(10, 1024, 1);
            fixture.heartbeats(2);
            assertThat(app.holds()).isEqualTo(10);
            HeddleScheduler scheduler = (HeddleScheduler) fixture.scheduler();
            scheduler.update();
            Map<String, Number> gauges = gauges(scheduler, "root.shop");
            assertThat(gauges.keySet()).containsAll(names);
            assertThat(gauges)
                    .containsEntry("GuaranteedMB", 25_600L)
                    .containsEntry("MaxCapacityMB", 51_200L)
                    .containsEntry("GuaranteedCapacity", 0.25f)
                    .containsEntry("MaxAbsoluteCapacity", 0.5f)
                    .containsEntry("AbsoluteUsedCapacity", 0.1f)
                    .containsEntry("UsedCapacity", 0.4f);
        }
    }

    private static Map<String, Number> gauges(HeddleScheduler scheduler, String path) {
        HeddleQueue queue = scheduler.queues().stream()
                .filter(one -> one.getQueueName().equals(path))
                .findFirst()
                .orElseThrow();
        MetricsCollectorImpl collector = new MetricsCollectorImpl();
        queue.getMetrics().getMetrics(collector, true);
        Map<String, Number> gauges = new TreeMap<>();
        collector.getRecords().forEach(record -> {
            for (AbstractMetric metric : record.metrics()) {
                gauges.put(metric.name(), metric.value());
            }
        });
        return gauges;
    }
}
