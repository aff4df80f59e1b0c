// SPDX-License-Identifier: Apache-2.0
package org.heddle.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ContainerExitStatus;
import org.apache.hadoop.yarn.api.records.ContainerStatus;
import org.apache.hadoop.yarn.api.records.FinalApplicationStatus;
import org.apache.hadoop.yarn.api.records.YarnApplicationState;
import org.apache.hadoop.yarn.server.resourcemanager.rmnode.RMNode;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair.FairScheduler;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.extension.RegisterExtension;

/** YARN without HDFS under FairScheduler: hosts, racks, types of resources, exact asks, nodes that come and go. */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class FairSchedulerIT {
    private static final String QUEUES = """
            <?xml version="1.0"?>
            <allocations>
              <queue name="science"><weight>2</weight></queue>
              <queue name="web"/>
            </allocations>
            """;

    @RegisterExtension
    static final HeddleCluster cluster = HeddleCluster.builder()
            .scheduler("org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair.FairScheduler")
            .queuesFile("yarn.scheduler.fair.allocation.file", QUEUES)
            .nodes(2, "/rack1", Map.of("memory-mb", 4096L, "vcores", 4L))
            .node("gpubox", "/rack2", Map.of("memory-mb", 8192L, "vcores", 8L, "yarn.io/gpu", 2L))
            .users("alice", "bob")
            .build();

    private static @Nullable TestApplication forgotten;

    @Test
    @Order(1)
    void aTestMayForgetAnApplication() throws Exception {
        forgotten = TestApplication.start(cluster, "alice", "root.science");
        forgotten.awaitGranted(forgotten.ask(Ask.of(1, Map.of("memory-mb", 100L))), 1);
    }

    @Test
    @Order(2)
    void itTakesNoRoomFromTheNext() throws Exception {
        try (TestApplication app = Objects.requireNonNull(forgotten)) {
            assertThat(app.report().getYarnApplicationState()).isEqualTo(YarnApplicationState.KILLED);
        }
    }

    @Test
    void nodesHaveHostsRacksAndResourcesOfTheirOwn() {
        assertThat(cluster.resourceManager().getResourceScheduler()).isInstanceOf(FairScheduler.class);
        assertThat(cluster.resourceManager().getRMContext().getRMNodes().values())
                .extracting(RMNode::getHostName)
                .contains("node1", "node2", "gpubox");
        assertThat(seen("node1").getRackName()).isEqualTo("/rack1");
        assertThat(seen("gpubox").getRackName()).isEqualTo("/rack2");
        assertThat(seen("gpubox").getTotalCapability().getResourceValue("yarn.io/gpu"))
                .isEqualTo(2);
        assertThat(seen("node1").getTotalCapability().getResourceValue("yarn.io/gpu"))
                .isZero();
    }

    private static RMNode seen(String host) {
        return Objects.requireNonNull(cluster.node(host).seenByResourceManager(), host);
    }

    @Test
    void asksAreGrantedAsMade() throws Exception {
        try (TestApplication app = TestApplication.start(cluster, "alice", "root.science")) {
            Ask small = app.ask(Ask.of(3, Map.of("memory-mb", 100L, "vcores", 1L)));
            Ask large = app.ask(Ask.of(1, Map.of("memory-mb", 3000L, "vcores", 2L)));
            app.awaitGranted(small, 3);
            app.awaitGranted(large, 1);
            assertThat(app.live()).hasSize(4);
            assertThat(small.granted())
                    .allSatisfy(container ->
                            assertThat(container.getResource().getMemorySize()).isEqualTo(100));
            Container given = small.granted().get(0);
            app.release(given);
            assertThat(app.awaitCompleted(given.getId()).getExitStatus()).isEqualTo(ContainerExitStatus.ABORTED);
            assertThat(app.live()).hasSize(3);
            assertThat(app.report().getUser()).isEqualTo("alice");
            assertThat(app.report().getQueue()).isEqualTo("root.science");
        }
    }

    @Test
    void gpusAndHostsAndBlacklistsAreObeyed() throws Exception {
        try (TestApplication app = TestApplication.start(cluster, "bob", "root.web")) {
            Ask gpus = app.ask(Ask.of(2, Map.of("memory-mb", 64L, "vcores", 1L, "yarn.io/gpu", 1L)));
            assertThat(app.awaitGranted(gpus, 2))
                    .extracting(container -> container.getNodeId().getHost())
                    .containsOnly("gpubox");
            Ask there = app.ask(Ask.of(2, Map.of("memory-mb", 64L, "vcores", 1L))
                    .onHosts("node2")
                    .nowhereElse());
            assertThat(app.awaitGranted(there, 2))
                    .extracting(container -> container.getNodeId().getHost())
                    .containsOnly("node2");
            app.blacklist("node1", "gpubox");
            Ask elsewhere =
                    app.ask(Ask.of(1, Map.of("memory-mb", 64L, "vcores", 1L)).priority(2));
            assertThat(app.awaitGranted(elsewhere, 1))
                    .extracting(container -> container.getNodeId().getHost())
                    .containsOnly("node2");
        }
    }

    @Test
    void commandsRunInContainersAndTheirOutputIsReadable() throws Exception {
        try (TestApplication app = TestApplication.start(cluster, "alice", "root.science")) {
            Container container = app.awaitGranted(app.ask(Ask.of(1, Map.of("memory-mb", 64L))), 1)
                    .get(0);
            app.launch(container, "echo ran as $USER on $NM_HOST; echo complaint >&2; exit 7");
            ContainerStatus status = app.awaitCompleted(container.getId());
            assertThat(status.getExitStatus()).isEqualTo(7);
            String id = app.id().toString();
            assertThat(cluster.logs().text(id, "stdout"))
                    .contains("ran as alice on " + container.getNodeId().getHost());
            assertThat(cluster.logs().describe(id)).contains("stderr").contains("complaint");
        }
    }

    @Test
    void nodesComeAndGo() throws Exception {
        ClusterNode node = cluster.addNode(new NodeSpec("late1", "/rack2", Map.of("memory-mb", 512L, "vcores", 1L)));
        try (TestApplication app = TestApplication.start(cluster, "alice", "root.science")) {
            Ask ask =
                    app.ask(Ask.of(1, Map.of("memory-mb", 64L)).onHosts("late1").nowhereElse());
            Container container = app.awaitGranted(ask, 1).get(0);
            node.stop();
            assertThat(app.awaitCompleted(container.getId()).getExitStatus()).isNegative();
            assertThat(node.seenByResourceManager()).isNull();
            int port = node.nodeId().getPort();
            node.restart();
            assertThat(node.nodeId().getPort()).isEqualTo(port);
            Ask again =
                    app.ask(Ask.of(1, Map.of("memory-mb", 64L)).onHosts("late1").nowhereElse());
            app.awaitGranted(again, 1);
        }
        node.decommission();
        assertThat(node.isRunning()).isFalse();
        node.restart();
        assertThat(node.seenByResourceManager()).isNotNull();
        node.decommissionGracefully(0);
        node.awaitGone();
    }

    @Test
    void queueFileCanBeRewritten() throws Exception {
        cluster.rewrite("yarn.scheduler.fair.allocation.file", QUEUES.replace("web", "shop"));
        try {
            cluster.resourceManager()
                    .getResourceScheduler()
                    .reinitialize(cluster.resourceManager().getConfig(), null);
            try (TestApplication app = TestApplication.start(cluster, "bob", "root.shop")) {
                assertThat(app.report().getYarnApplicationState()).isEqualTo(YarnApplicationState.RUNNING);
                app.finish(FinalApplicationStatus.FAILED);
            }
        } finally {
            cluster.rewrite("yarn.scheduler.fair.allocation.file", QUEUES);
        }
    }

    @Test
    void mistakesAreNamed() {
        assertThatThrownBy(() -> node("a b", Map.of("memory-mb", 1L, "vcores", 1L)))
                .hasMessageContaining("host \"a b\"");
        assertThatThrownBy(() -> node("n", Map.of("memory-mb", 1L)))
                .hasMessageContaining("vcores of n = null: give a number from 1");
        assertThatThrownBy(() -> cluster.addNode(Map.of("memory-mb", 1L, "vcores", 1L, "fpga", 1L)))
                .hasMessageContaining("resource types [fpga]")
                .hasMessageContaining("yarn.resource-types");
        assertThatThrownBy(() -> cluster.node("nowhere")).hasMessageContaining("no node nowhere; there are [node1");
        assertThatThrownBy(() -> Await.until("nothing", Duration.ofMillis(30), () -> false))
                .hasMessageMatching(
                        "waited .*s for nothing, where an idle machine would get 30 ms: nothing more is known");
        assertThatThrownBy(() -> TestApplication.start(cluster, "alice", "root"))
                .hasMessageContaining("root");
    }

    private static NodeSpec node(String host, Map<String, Long> resources) {
        return new NodeSpec(host, "/default-rack", resources);
    }
}
