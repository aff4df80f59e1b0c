// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import javax.management.ObjectName;
import org.apache.hadoop.metrics2.AbstractMetric;
import org.apache.hadoop.metrics2.impl.MetricsCollectorImpl;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.heddle.scheduler.yarn.RmFixture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SchedulerMetricsTest {
    @TempDir
    Path directory;

    @Test
    void sinksAndJmxOfHadoopHaveTheSchedulersFigures() throws Exception {
        try (RmFixture fixture = new RmFixture(
                directory,
                "<heddle-scheduler version=\"1\"><queue name=\"root\"><queue name=\"default\"/></queue>"
                        + "</heddle-scheduler>")) {
            fixture.node("127.1.0.1", 4_000, 4);
            fixture.unmanaged("alice", "default").ask(3, 1_000, 1);
            fixture.heartbeat();
            MetricsCollectorImpl now = new MetricsCollectorImpl();
            DefaultMetricsSystem.instance().getSource(SchedulerMetrics.NAME).getMetrics(now, true);
            assertThat(now.getRecords())
                    .singleElement()
                    .extracting(record -> StreamSupport.stream(record.metrics().spliterator(), false)
                            .collect(Collectors.toMap(AbstractMetric::name, AbstractMetric::value)))
                    .asInstanceOf(InstanceOfAssertFactories.map(String.class, Number.class))
                    .containsEntry("Nodes", 1)
                    .containsEntry("ContainersAllocated", 3L)
                    .containsEntry("ConfigurationRefused", 0);
            assertThat(ManagementFactory.getPlatformMBeanServer()
                            .queryNames(
                                    new ObjectName(
                                            "Hadoop:service=ResourceManager,name=" + SchedulerMetrics.NAME + "*"),
                                    null))
                    .isNotEmpty();
        }
    }
}
