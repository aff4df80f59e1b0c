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
        try (RmFixture fixture = new RmFixture(directory, RmFixture.ONE_LEAF)) {
            fixture.node(A, 4_000, 4);
            fixture.node(B, 4_000, 4);
            assertThat(fixture.scheduler().getClusterResource()).isEqualTo(Resource.newInstance(8_000, 8));
            assertThat(fixture.scheduler().getNumClusterNodes()).isEqualTo(2);
            RmFixture.App app = fixture.unmanaged("alice", "default").ask(8, 1_000, 1);
            fixture.heartbeat();
            app.collect();
            assertThat(app.containers).hasSize(8);

            fixture.rm.sendNodeLost(fixture.node(B));
            fixture.nodes.remove(B);
            assertThat(fixture.scheduler().getClusterResource()).isEqualTo(Resource.newInstance(4_000, 4));
            AllocateResponse told = app.heartbeat(List.of(), List.of());
            assertThat(told.getCompletedContainersStatuses())
                    .hasSize(4)
                    .allMatch(status -> status.getExitStatus() == ContainerExitStatus.ABORTED);
            assertThat(fixture.schedulable("default/alice").usage()).containsEntry("memory-mb", 4_000L);
            assertThat(fixture.scheduler().getRootQueueMetrics().getAllocatedMB())
                    .isEqualTo(4_000);
            app.end();
            fixture.assertNothingLeft();
        }
    }

    @Test
    void aNodeThatGrowsTakesMoreAndOneThatShrinksTakesNoMore() throws Exception {
        try (RmFixture fixture = new RmFixture(directory, RmFixture.ONE_LEAF)) {
            fixture.node(A, 2_000, 2);
            RmFixture.App app = fixture.unmanaged("alice", "default").ask(10, 1_000, 1);
            fixture.heartbeat();
            assertThat(app.collect().containers).hasSize(2);
            resize(fixture, A, Resource.newInstance(5_000, 5), -1);
            assertThat(fixture.scheduler().takeSnapshot().capacity()).containsEntry("memory-mb", 5_000L);
            fixture.heartbeat();
            assertThat(app.collect().containers).hasSize(5);

            resize(fixture, A, Resource.newInstance(3_000, 3), -1);
            app.release(app.ids().get(0));
            fixture.heartbeat();
            assertThat(app.collect().containers).as("still over").hasSize(5);
            assertThat(fixture.scheduler().getRootQueueMetrics().getAvailableMB())
                    .as("the node runs more than it has")
                    .isZero();
            app.release(app.ids().get(1), app.ids().get(2));
            fixture.heartbeat();
            assertThat(app.collect().containers).as("one is free").hasSize(6);
            app.end();
            fixture.assertNothingLeft();
        }
    }

    @Test
    void anOvercommittedNodeFirstTellsMastersThenKillsWhenTheTimeIsOver() throws Exception {
        try (RmFixture fixture = new RmFixture(directory, RmFixture.ONE_LEAF)) {
            fixture.node(A, 4_000, 4);
            RmFixture.App app = fixture.unmanaged("alice", "default").ask(4, 1_000, 1);
            fixture.heartbeat();
            app.collect();
            fixture.run(app.containers);
            assertThat(app.heartbeat(List.of(), List.of()).getPreemptionMessage())
                    .isNull();

            resize(fixture, A, Resource.newInstance(2_000, 2), 600_000);
            AllocateResponse told = app.heartbeat(List.of(), List.of());
            assertThat(told.getPreemptionMessage().getStrictContract().getContainers())
                    .extracting(PreemptionContainer::getId)
                    .hasSize(2)
                    .isSubsetOf(app.ids());
            assertThat(told.getPreemptionMessage().getContract()).isNull();
            fixture.heartbeat();
            assertThat(fixture.schedulable("default/alice").runningContainers())
                    .as("time is left")
                    .isEqualTo(4);

            resize(fixture, A, Resource.newInstance(1_000, 1), 1);
            Instant deadline = Instant.now().plus(Await.stretched(Duration.ofSeconds(20)));
            while (fixture.schedulable("default/alice").runningContainers() > 1
                    && Instant.now().isBefore(deadline)) {
                fixture.heartbeat(A);
            }
            told = app.heartbeat(List.of(), List.of());
            assertThat(told.getCompletedContainersStatuses())
                    .hasSize(3)
                    .allMatch(status -> status.getExitStatus() == ContainerExitStatus.PREEMPTED);
            fixture.finish(killed(app, told));
            assertThat(fixture.seen(A).getUnallocatedResource()).isEqualTo(Resource.newInstance(0, 0));
            assertThat(app.heartbeat(List.of(), List.of()).getPreemptionMessage())
                    .isNull();
            app.end();
            fixture.finish(app.containers);
            fixture.assertNothingLeft();
        }
    }

    @Test
    void aNodeThatHasRoomAgainTakesItsWarningBack() throws Exception {
        try (RmFixture fixture = new RmFixture(directory, RmFixture.ONE_LEAF)) {
            fixture.node(A, 4_000, 4);
            RmFixture.App app = fixture.unmanaged("alice", "default").ask(4, 1_000, 1);
            fixture.heartbeat();
            app.collect();
            fixture.run(app.containers);
            resize(fixture, A, Resource.newInstance(2_000, 2), 600_000);
            assertThat(app.heartbeat(List.of(), List.of()).getPreemptionMessage())
                    .isNotNull();
            resize(fixture, A, Resource.newInstance(4_000, 4), -1);
            assertThat(app.heartbeat(List.of(), List.of()).getPreemptionMessage())
                    .isNull();
        }
    }

    @Test
    void anOvercommittedNodeWithoutTimeoutKillsNobodyAndWithZeroAtOnce() throws Exception {
        try (RmFixture fixture = new RmFixture(directory, RmFixture.ONE_LEAF)) {
            fixture.node(A, 2_000, 2);
            fixture.node(B, 2_000, 2);
            RmFixture.App app = fixture.unmanaged("alice", "default").ask(4, 1_000, 1);
            fixture.heartbeat();
            app.collect();
            fixture.run(app.containers);
            resize(fixture, A, Resource.newInstance(1_000, 1), -1);
            resize(fixture, B, Resource.newInstance(1_000, 1), 0);
            fixture.heartbeat();
            List<Container> killed = killed(app, app.heartbeat(List.of(), List.of()));
            assertThat(killed)
                    .hasSize(1)
                    .allMatch(container -> container.getNodeId().getHost().equals(B));
        }
    }

    @Test
    void aDecommissioningNodeFinishesItsWorkAndGetsNoMore() throws Exception {
        try (RmFixture fixture = new RmFixture(directory, RmFixture.ONE_LEAF)) {
            MockNM node = fixture.node(A, 4_000, 4);
            RmFixture.App app = fixture.unmanaged("alice", "default").ask(2, 1_000, 1);
            fixture.heartbeat();
            app.collect();
            fixture.run(app.containers);
            fixture.rm.sendNodeGracefulDecommission(node, 3_600);
            fixture.rm.drainEvents();
            fixture.rm.waitForState(node.getNodeId(), NodeState.DECOMMISSIONING);
            app.ask(5, 1_000, 1);
            fixture.heartbeat();
            fixture.heartbeat();
            assertThat(app.collect().containers).hasSize(2);
            assertThat(fixture.scheduler().getClusterResource()).isEqualTo(Resource.newInstance(2_000, 2));
            fixture.finish(app.containers);
            fixture.heartbeat();
            fixture.heartbeat();
            assertThat(app.collect().containers).hasSize(2);
            fixture.rm.sendNodeEvent(node, RMNodeEventType.DECOMMISSION);
            fixture.rm.drainEvents();
            assertThat(fixture.scheduler().getNumClusterNodes()).isZero();
        }
    }

    @Test
    void aNodeThatReconnectsWithContainersKeepsThemAndTakesItsNewSize() throws Exception {
        try (RmFixture fixture = new RmFixture(directory, RmFixture.ONE_LEAF)) {
            fixture.node(A, 2_000, 2);
            RmFixture.App app = fixture.unmanaged("alice", "default").ask(4, 1_000, 1);
            fixture.heartbeat();
            app.collect();
            fixture.run(app.containers);
            MockNM again = new MockNM(A + ":1234", 4_000, 4, fixture.rm.getResourceTrackerService());
            again.registerNode(RmFixture.running(app.containers), List.of(app.id()));
            fixture.nodes.put(A, again);
            fixture.rm.drainEvents();
            assertThat(fixture.scheduler().getClusterResource()).isEqualTo(Resource.newInstance(4_000, 4));
            fixture.heartbeat();
            assertThat(app.collect().containers).hasSize(4);
            app.end();
            fixture.finish(app.containers);
            fixture.assertNothingLeft();
        }
    }

    @Test
    void aNodeThatReconnectsEmptyHasLostItsContainers() throws Exception {
        try (RmFixture fixture = new RmFixture(directory, RmFixture.ONE_LEAF)) {
            fixture.node(A, 2_000, 2);
            RmFixture.App app = fixture.unmanaged("alice", "default").ask(2, 1_000, 1);
            fixture.heartbeat();
            app.collect();
            fixture.run(app.containers);
            fixture.node(A, 3_000, 3);
            assertThat(app.heartbeat(List.of(), List.of()).getCompletedContainersStatuses())
                    .hasSize(2);
            assertThat(fixture.scheduler().getClusterResource()).isEqualTo(Resource.newInstance(3_000, 3));
            assertThat(fixture.schedulable("default/alice").runningContainers()).isZero();
            app.end();
            fixture.assertNothingLeft();
        }
    }

    @Test
    void whatANodeReportsOfAnApplicationThatHasEndedDoesNoHarm() throws Exception {
        try (RmFixture fixture = new RmFixture(directory, RmFixture.ONE_LEAF)) {
            fixture.node(A, 2_000, 2);
            RmFixture.App app = fixture.unmanaged("alice", "default").ask(2, 1_000, 1);
            fixture.heartbeat();
            List<Container> had = List.copyOf(app.collect().containers);
            app.end();
            fixture.run(had);
            fixture.finish(had);
            fixture.assertNothingLeft();
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

    private static void resize(RmFixture fixture, String host, Resource size, int timeoutMillis) {
        fixture.rm
                .getRMContext()
                .getDispatcher()
                .getEventHandler()
                .handle(new RMNodeResourceUpdateEvent(
                        fixture.node(host).getNodeId(), ResourceOption.newInstance(size, timeoutMillis)));
        fixture.rm.drainEvents();
    }
}
