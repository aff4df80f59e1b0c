// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn.capacity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.yarn.proto.YarnServiceProtos.SchedulerResourceTypes;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * CapacityScheduler's default, {@code DefaultResourceCalculator}: nodes with two vcores run as many containers as fit
 * their memory.
 */
@Tag("newer-line")
class MemoryOnlyTest {
    private static final String ONE_LEAF = """
        <configuration>
          <property><name>yarn.scheduler.capacity.root.queues</name><value>default</value></property>
          <property><name>yarn.scheduler.capacity.root.default.capacity</name><value>100</value></property>
          <property><name>yarn.scheduler.capacity.root.default.maximum-applications</name><value>100</value></property>
          <property><name>yarn.scheduler.capacity.schedule-asynchronously.enable</name><value>false</value></property>
          <property><name>yarn.scheduler.capacity.per-node-heartbeat.maximum-offswitch-assignments</name><value>1000</value></property>
          %s
        </configuration>
        """;
    private static final String DOMINANT = """
        <property><name>yarn.scheduler.capacity.resource-calculator</name>
          <value>org.apache.hadoop.yarn.util.resource.DominantResourceCalculator</value></property>
        """;

    @TempDir
    private Path directory;

    private Path file;

    @BeforeEach
    void oneLeaf() throws IOException {
        file = write("");
    }

    private Path write(String more) throws IOException {
        return Files.writeString(directory.resolve("capacity-scheduler.xml"), ONE_LEAF.formatted(more));
    }

    @Test
    void bothSchedulersFillTheMemory() throws Exception {
        Map<String, Integer> held = new TreeMap<>();
        for (Class<?> scheduler : CapacityFixture.BOTH) {
            try (CapacityFixture fixture = new CapacityFixture(scheduler, file).nodes(2)) {
                CapacityFixture.App app = fixture.app("alice", "default").ask(200, 1024, 2);
                fixture.heartbeats(3);
                held.put(scheduler.getSimpleName(), app.holds());
                assertThat(fixture.scheduler().getSchedulingResourceTypes())
                        .containsExactly(SchedulerResourceTypes.MEMORY);
            }
        }
        assertThat(held).containsEntry("CapacityScheduler", 100).containsEntry("DrfScheduler", 100);
    }

    @Test
    void aContainerIsHeldForAWholeNodeAndGetsItWhateverItsVcores() throws Exception {
        try (CapacityFixture fixture = new CapacityFixture(CapacityFixture.OURS, file).nodes(2)) {
            CapacityFixture.App small = fixture.app("alice", "default").ask(100, 1024, 1);
            fixture.heartbeats(2);
            assertThat(small.holds()).isEqualTo(100);
            CapacityFixture.App large = fixture.app("bob", "default").ask(1, 25_600, 8);
            fixture.heartbeats(2);
            assertThat(large.holds()).isZero();
            fixture.end(small.app);
            fixture.heartbeats(2);
            assertThat(large.holds()).isEqualTo(1);
        }
    }

    @Test
    void anotherCalculatorNeedsARestart() throws Exception {
        try (CapacityFixture fixture = new CapacityFixture(CapacityFixture.OURS, file).nodes(2)) {
            write(DOMINANT);
            assertThatThrownBy(
                            () -> fixture.scheduler().reinitialize(fixture.rm.getConfig(), fixture.rm.getRMContext()))
                    .hasMessageContaining("changes only with a restart of the ResourceManager");
            CapacityFixture.App app = fixture.app("alice", "default").ask(100, 1024, 1);
            fixture.heartbeats(2);
            assertThat(app.holds()).as("the last good file").isEqualTo(100);
        }
    }

    @Test
    void withTheOtherCalculatorVcoresBound() throws Exception {
        write(DOMINANT);
        try (CapacityFixture fixture = new CapacityFixture(CapacityFixture.OURS, file).nodes(2)) {
            CapacityFixture.App app = fixture.app("alice", "default").ask(100, 1024, 1);
            fixture.heartbeats(3);
            assertThat(app.holds()).isEqualTo(8);
        }
    }
}
