// SPDX-License-Identifier: Apache-2.0
package org.heddle.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.api.records.Container;
import org.heddle.testkit.machine.ContainerProcesses;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two clusters in one JVM, and what is left after closing. */
@Tag("newer-line")
@Tag("long-1")
class SideBySideIT {
    private static final Map<String, Long> SMALL = Map.of("memory-mb", 1024L, "vcores", 2L);
    private static final String FAIR = "org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair.FairScheduler";

    @TempDir
    Path directory;

    @Test
    void twoClustersDoNotMeetAndNothingIsLeft() throws Exception {
        Path firstHome;
        try (HeddleCluster first = HeddleCluster.builder()
                        .scheduler(FAIR)
                        .nodes(2, SMALL)
                        .users("alice")
                        .directory(directory)
                        .build();
                HeddleCluster second = HeddleCluster.builder()
                        .nodes(1, SMALL)
                        .addressesAsNames()
                        .users("bob")
                        .directory(directory)
                        .build()) {
            first.start();
            second.start();
            firstHome = first.directory();
            assertThat(first.webAddress()).isNotEqualTo(second.webAddress());
            assertThat(first.resourceManager().getRMContext().getRMNodes()).hasSize(2);
            assertThat(second.resourceManager().getRMContext().getRMNodes()).hasSize(1);
            assertThat(second.node(0).host()).startsWith("127.0.");
            try (TestApplication one = TestApplication.start(first, "alice", "root.alice");
                    TestApplication two = TestApplication.start(second, "bob", "root.default")) {
                Container container = one.awaitGranted(one.ask(Ask.of(1, Map.of("memory-mb", 64L))), 1)
                        .get(0);
                two.awaitGranted(two.ask(Ask.of(2, Map.of("memory-mb", 64L))), 2);
                one.launch(container, "sleep 600");
                Await.until(
                        "the container's process",
                        java.time.Duration.ofSeconds(20),
                        () -> !ContainerProcesses.below(first.directory()).isEmpty());
            }
            Configuration client = new Configuration(false);
            first.writeClientConfiguration(directory.resolve("conf"));
            client.addResource(Files.newInputStream(directory.resolve("conf/yarn-site.xml")));
            assertThat(client.get("yarn.resourcemanager.address"))
                    .isEqualTo(first.value("yarn.resourcemanager.address"))
                    .doesNotEndWith(":0");
            HeddleCluster third = HeddleCluster.builder()
                    .nodes(1, Map.of("memory-mb", 64L, "vcores", 1L, "fpga", 1L))
                    .directory(directory)
                    .build();
            assertThatThrownBy(third::start)
                    .hasMessageContaining("[fpga]")
                    .hasMessageContaining("once per JVM; declare the same types in both");
        }
        assertThat(firstHome).doesNotExist();
        assertThat(ContainerProcesses.below(directory)).isEmpty();
        try (var left = Files.list(directory)) {
            assertThat(left.map(path -> path.getFileName().toString())).containsExactly("conf");
        }
        Await.until(
                "threads of daemons to end",
                java.time.Duration.ofSeconds(20),
                () -> daemonThreads().isEmpty(),
                () -> daemonThreads().toString());
    }

    @Test
    void badPlansAreRefusedBeforeAnythingStarts() {
        assertThatThrownBy(() -> HeddleCluster.builder().nodes(0, SMALL)).hasMessage("nodes = 0: give 1 or more");
        assertThatThrownBy(() -> HeddleCluster.builder()
                        .nodes(1, SMALL)
                        .node("node1", "/r", SMALL)
                        .build())
                .hasMessageContaining("host node1 is given twice");
        assertThatThrownBy(() -> HeddleCluster.builder().nodes(1, SMALL).hdfs(3).build())
                .hasMessageContaining("DataNodes = 3 but there are 1 nodes");
        HeddleCluster unknown = HeddleCluster.builder()
                .scheduler("org.example.Nowhere")
                .directory(directory)
                .build();
        assertThatThrownBy(unknown::start).hasStackTraceContaining("org.example.Nowhere");
        assertThatThrownBy(unknown::start).hasMessageContaining("build a new one");
        assertThat(directory).isEmptyDirectory();
    }

    /** Whatever runs Hadoop's daemon code, apart from those that Hadoop keeps for the JVM's life. */
    private static List<String> daemonThreads() {
        return Thread.getAllStackTraces().keySet().stream()
                .map(Thread::getName)
                .filter(name -> name.matches(
                        "(?i).*(IPC Server|SchedulerEventDispatcher|NM ContainerManager|RM Event|Node Status Updater"
                                + "|DeletionService|ApplicationMasterLauncher|AsyncDispatcher).*"))
                .toList();
    }
}
