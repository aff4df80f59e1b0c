// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.apache.hadoop.yarn.api.protocolrecords.AllocateResponse;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ContainerExitStatus;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.ContainerStatus;
import org.apache.hadoop.yarn.api.records.NodeState;
import org.apache.hadoop.yarn.api.records.PreemptionContainer;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceOption;
import org.apache.hadoop.yarn.server.resourcemanager.MockNM;
import org.apache.hadoop.yarn.server.resourcemanager.rmnode.RMNodeEventType;
import org.apache.hadoop.yarn.server.resourcemanager.rmnode.RMNodeResourceUpdateEvent;
import org.heddle.scheduler.yarn.RmFixture;
import org.heddle.testkit.Await;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Nodes come, go, shrink, grow and retire. */
class NodesTest {
    private static final String A = "127.1.0.1";
    private static final String B = "127.1.0.2";

    @TempDir
    Path directory;

    @Test
    void anAddedNodeAddsToTheClusterAndARemovedOneTakesItsContainersAlong() throws Exception {
        try (RmFixture bed = new RmFixture(directory, RmFixture.ONE_LEAF)) {
            bed.node(A, 4_000, 4);
            bed.node(B, 4_000, 4);
            assertThat(bed.scheduler().getClusterResource()).isEqualTo(Resource.newInstance(8_000, 8));
            assertThat(bed.scheduler().getNumClusterNodes()).isEqualTo(2);
            RmFixture.App app = bed.unmanaged("alice", "default").ask(8, 1_000, 1);
            bed.heartbeat();
            app.collect();
            assertThat(app.containers).hasSize(8);

            bed.rm.sendNodeLost(bed.node(B));
            bed.nodes.remove(B);
            assertThat(bed.scheduler().getClusterResource()).isEqualTo(Resource.newInstance(4_000, 4));
            AllocateResponse told = app.heartbeat(List.of(), List.of());
            assertThat(told.getCompletedContainersStatuses())
                    .hasSize(4)
                    .allMatch(status -> status.getExitStatus() == ContainerExitStatus.ABORTED);
            assertThat(bed.schedulable("default/alice").usage()).containsEntry("memory-mb", 4_000L);
            assertThat(bed.scheduler().getRootQueueMetrics().getAllocatedMB()).isEqualTo(4_000);
            app.end();
            bed.assertNothingLeft();
        }
    }

    @Test
    void aNodeThatGrowsTakesMoreAndOneThatShrinksTakesNoMore() throws Exception {
        try (RmFixture bed = new RmFixture(directory, RmFixture.ONE_LEAF)) {
            bed.node(A, 2_000, 2);
            RmFixture.App app = bed.unmanaged("alice", "default").ask(10, 1_000, 1);
            bed.heartbeat();
            assertThat(app.collect().containers).hasSize(2);
            resize(bed, A, Resource.newInstance(5_000, 5), -1);
            assertThat(bed.scheduler().takeSnapshot().capacity()).containsEntry("memory-mb", 5_000L);
            bed.heartbeat();
            assertThat(app.collect().containers).hasSize(5);

            resize(bed, A, Resource.newInstance(3_000, 3), -1);
            app.release(app.ids().get(0));
            bed.heartbeat();
            assertThat(app.collect().containers).as("still over").hasSize(5);
            assertThat(bed.scheduler().getRootQueueMetrics().getAvailableMB()).isEqualTo(-1_000);
            app.release(app.ids().get(1), app.ids().get(2));
            bed.heartbeat();
            assertThat(app.collect().containers).as("one is free").hasSize(6);
            app.end();
            bed.assertNothingLeft();
        }
    }

    @Test
    void anOvercommittedNodeFirstTellsMastersThenKillsWhenTheTimeIsOver() throws Exception {
        try (RmFixture bed = new RmFixture(directory, RmFixture.ONE_LEAF)) {
            bed.node(A, 4_000, 4);
            RmFixture.App app = bed.unmanaged("alice", "default").ask(4, 1_000, 1);
            bed.heartbeat();
            app.collect();
            bed.run(app.containers);
            assertThat(app.heartbeat(List.of(), List.of()).getPreemptionMessage())
                    .isNull();

            resize(bed, A, Resource.newInstance(2_000, 2), 600_000);
            AllocateResponse told = app.heartbeat(List.of(), List.of());
            assertThat(told.getPreemptionMessage().getStrictContract().getContainers())
                    .extracting(PreemptionContainer::getId)
                    .hasSize(2)
                    .isSubsetOf(app.ids());
            assertThat(told.getPreemptionMessage().getContract()).isNull();
            bed.heartbeat();
            assertThat(bed.schedulable("default/alice").runningContainers())
                    .as("time is left")
                    .isEqualTo(4);

            resize(bed, A, Resource.newInstance(1_000, 1), 1);
            Instant deadline = Instant.now().plus(Await.stretched(Duration.ofSeconds(20)));
            while (bed.schedulable("default/alice").runningContainers() > 1
                    && Instant.now().isBefore(deadline)) {
                bed.heartbeat(A);
            }
            told = app.heartbeat(List.of(), List.of());
            assertThat(told.getCompletedContainersStatuses())
                    .hasSize(3)
                    .allMatch(status -> status.getExitStatus() == ContainerExitStatus.PREEMPTED);
            bed.finish(killed(app, told));
            assertThat(bed.seen(A).getUnallocatedResource()).isEqualTo(Resource.newInstance(0, 0));
            assertThat(app.heartbeat(List.of(), List.of()).getPreemptionMessage())
                    .isNull();
            app.end();
            bed.finish(app.containers);
            bed.assertNothingLeft();
        }
    }

    @Test
    void aNodeThatHasRoomAgainTakesItsWarningBack() throws Exception {
        try (RmFixture bed = new RmFixture(directory, RmFixture.ONE_LEAF)) {
            bed.node(A, 4_000, 4);
            RmFixture.App app = bed.unmanaged("alice", "default").ask(4, 1_000, 1);
            bed.heartbeat();
            app.collect();
            bed.run(app.containers);
            resize(bed, A, Resource.newInstance(2_000, 2), 600_000);
            assertThat(app.heartbeat(List.of(), List.of()).getPreemptionMessage())
                    .isNotNull();
            resize(bed, A, Resource.newInstance(4_000, 4), -1);
            assertThat(app.heartbeat(List.of(), List.of()).getPreemptionMessage())
                    .isNull();
        }
    }

    @Test
    void anOvercommittedNodeWithoutTimeoutKillsNobodyAndWithZeroAtOnce() throws Exception {
        try (RmFixture bed = new RmFixture(directory, RmFixture.ONE_LEAF)) {
            bed.node(A, 2_000, 2);
            bed.node(B, 2_000, 2);
            RmFixture.App app = bed.unmanaged("alice", "default").ask(4, 1_000, 1);
            bed.heartbeat();
            app.collect();
            bed.run(app.containers);
            resize(bed, A, Resource.newInstance(1_000, 1), -1);
            resize(bed, B, Resource.newInstance(1_000, 1), 0);
            bed.heartbeat();
            List<Container> killed = killed(app, app.heartbeat(List.of(), List.of()));
            assertThat(killed)
                    .hasSize(1)
                    .allMatch(container -> container.getNodeId().getHost().equals(B));
        }
    }

    @Test
    void aDecommissioningNodeFinishesItsWorkAndGetsNoMore() throws Exception {
        try (RmFixture bed = new RmFixture(directory, RmFixture.ONE_LEAF)) {
            MockNM node = bed.node(A, 4_000, 4);
            RmFixture.App app = bed.unmanaged("alice", "default").ask(2, 1_000, 1);
            bed.heartbeat();
            app.collect();
            bed.run(app.containers);
            bed.rm.sendNodeGracefulDecommission(node, 3_600);
            bed.rm.drainEvents();
            bed.rm.waitForState(node.getNodeId(), NodeState.DECOMMISSIONING);
            app.ask(5, 1_000, 1);
            bed.heartbeat();
            bed.heartbeat();
            assertThat(app.collect().containers).hasSize(2);
            assertThat(bed.scheduler().getClusterResource()).isEqualTo(Resource.newInstance(2_000, 2));
            bed.finish(app.containers);
            bed.heartbeat();
            bed.heartbeat();
            assertThat(app.collect().containers).hasSize(2);
            bed.rm.sendNodeEvent(node, RMNodeEventType.DECOMMISSION);
            bed.rm.drainEvents();
            assertThat(bed.scheduler().getNumClusterNodes()).isZero();
        }
    }

    @Test
    void aNodeThatReconnectsWithContainersKeepsThemAndTakesItsNewSize() throws Exception {
        try (RmFixture bed = new RmFixture(directory, RmFixture.ONE_LEAF)) {
            bed.node(A, 2_000, 2);
            RmFixture.App app = bed.unmanaged("alice", "default").ask(4, 1_000, 1);
            bed.heartbeat();
            app.collect();
            bed.run(app.containers);
            MockNM again = new MockNM(A + ":1234", 4_000, 4, bed.rm.getResourceTrackerService());
            again.registerNode(RmFixture.running(app.containers), List.of(app.id()));
            bed.nodes.put(A, again);
            bed.rm.drainEvents();
            assertThat(bed.scheduler().getClusterResource()).isEqualTo(Resource.newInstance(4_000, 4));
            bed.heartbeat();
            assertThat(app.collect().containers).hasSize(4);
            app.end();
            bed.finish(app.containers);
            bed.assertNothingLeft();
        }
    }

    @Test
    void aNodeThatReconnectsEmptyHasLostItsContainers() throws Exception {
        try (RmFixture bed = new RmFixture(directory, RmFixture.ONE_LEAF)) {
            bed.node(A, 2_000, 2);
            RmFixture.App app = bed.unmanaged("alice", "default").ask(2, 1_000, 1);
            bed.heartbeat();
            app.collect();
            bed.run(app.containers);
            bed.node(A, 3_000, 3);
            assertThat(app.heartbeat(List.of(), List.of()).getCompletedContainersStatuses())
                    .hasSize(2);
            assertThat(bed.scheduler().getClusterResource()).isEqualTo(Resource.newInstance(3_000, 3));
            assertThat(bed.schedulable("default/alice").runningContainers()).isZero();
            app.end();
            bed.assertNothingLeft();
        }
    }

    @Test
    void whatANodeReportsOfAnApplicationThatHasEndedDoesNoHarm() throws Exception {
        try (RmFixture bed = new RmFixture(directory, RmFixture.ONE_LEAF)) {
            bed.node(A, 2_000, 2);
            RmFixture.App app = bed.unmanaged("alice", "default").ask(2, 1_000, 1);
            bed.heartbeat();
            List<Container> had = List.copyOf(app.collect().containers);
            app.end();
            bed.run(had);
            bed.finish(had);
            bed.assertNothingLeft();
        }
    }

    private static List<Container> killed(RmFixture.App app, AllocateResponse told) {
        List<ContainerId> ids = told.getCompletedContainersStatuses().stream()
                .map(ContainerStatus::getContainerId)
                .toList();
        return app.containers.stream()
                .filter(container -> ids.contains(container.getId()))
                .toList();
    }

    private static void resize(RmFixture bed, String host, Resource size, int timeoutMillis) {
        bed.rm
                .getRMContext()
                .getDispatcher()
                .getEventHandler()
                .handle(new RMNodeResourceUpdateEvent(
                        bed.node(host).getNodeId(), ResourceOption.newInstance(size, timeoutMillis)));
        bed.rm.drainEvents();
    }
}
