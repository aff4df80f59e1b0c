// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.apache.hadoop.yarn.api.protocolrecords.AllocateResponse;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ContainerStatus;
import org.apache.hadoop.yarn.api.records.ContainerUpdateType;
import org.apache.hadoop.yarn.api.records.ExecutionType;
import org.apache.hadoop.yarn.api.records.ExecutionTypeRequest;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.api.records.UpdateContainerRequest;
import org.apache.hadoop.yarn.api.records.UpdatedContainer;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.api.protocolrecords.NodeHeartbeatResponse;
import org.apache.hadoop.yarn.server.api.records.OpportunisticContainersStatus;
import org.apache.hadoop.yarn.server.resourcemanager.MockNM;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMApp;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMAppState;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.attempt.RMAppAttemptState;
import org.heddle.scheduler.yarn.ClusterInvariants;
import org.heddle.scheduler.yarn.RmFixture;
import org.heddle.testkit.Await;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Containers that run only while nobody else needs the node, and containers that become such or cease to be. */
class ExecutionTypesTest {
    private static final String A = "127.1.0.1";
    private static final Duration DEADLINE = Duration.ofSeconds(20);

    @TempDir
    Path directory;

    private RmFixture fixture(String... more) throws Exception {
        return fixtureOf(RmFixture.ONE_LEAF, more);
    }

    /** A promotion or an increase is granted at a heartbeat, not in the answer to its request. */
    private RmFixture grantedLater() throws Exception {
        return fixtureOf(RmFixture.atHeartbeats(RmFixture.ONE_LEAF));
    }

    private RmFixture fixtureOf(String xml, String... more) throws Exception {
        RmFixture fixture = more.length > 0
                ? new RmFixture(directory, xml, more)
                : new RmFixture(
                        directory,
                        xml,
                        YarnConfiguration.OPPORTUNISTIC_CONTAINER_ALLOCATION_ENABLED,
                        "true",
                        YarnConfiguration.NM_CONTAINER_QUEUING_SORTING_NODES_INTERVAL_MS,
                        "20");
        node(fixture, A);
        return fixture;
    }

    /** The allocator of opportunistic containers sees the scheduler's own events, too. */
    @Test
    void allocationWithoutHeartbeatsWorksBesideOpportunisticContainers() throws Exception {
        String immediate = RmFixture.ONE_LEAF.replaceFirst("<queue", "<allocation>immediate</allocation><queue");
        try (RmFixture fixture = new RmFixture(
                directory, immediate, YarnConfiguration.OPPORTUNISTIC_CONTAINER_ALLOCATION_ENABLED, "true")) {
            node(fixture, A);
            RMApp app = fixture.submit("alice", "default", 1_000);
            fixture.rm.waitForState(app.getApplicationId(), RMAppState.ACCEPTED);
            fixture.rm.drainEvents();
            fixture.rm.waitForState(app.getCurrentAppAttempt().getAppAttemptId(), RMAppAttemptState.ALLOCATED);
        }
    }

    private static void node(RmFixture fixture, String host) throws Exception {
        MockNM node = new RoomyNode(host, fixture);
        node.registerNode();
        fixture.nodes.put(host, node);
        fixture.rm.drainEvents();
        node.nodeHeartbeat(true);
        fixture.rm.drainEvents();
    }

    /**
     * Reports room in its queue with every heartbeat: the first that the allocator sees, on a thread of its own, counts
     * for ever.
     */
    private static final class RoomyNode extends MockNM {
        RoomyNode(String host, RmFixture fixture) {
            super(host + ":1234", 4_000, 4, fixture.rm.getResourceTrackerService());
        }

        @Override
        public NodeHeartbeatResponse nodeHeartbeat(
                List<ContainerStatus> updated, List<Container> increased, boolean isHealthy, int response)
                throws Exception {
            OpportunisticContainersStatus status = OpportunisticContainersStatus.newInstance();
            status.setWaitQueueLength(0);
            status.setEstimatedQueueWaitTime(-1);
            status.setOpportQueueCapacity(100);
            return nodeHeartbeat(updated, increased, isHealthy, response, status);
        }
    }

    /** The allocator sorts nodes on a thread of its own, so that the first answer may be empty. */
    private static List<Container> opportunistic(RmFixture fixture, RmFixture.App app, int count, int memory)
            throws Exception {
        int before = app.containers.size();
        app.heartbeat(
                List.of(ResourceRequest.newInstance(
                        Priority.newInstance(1),
                        ResourceRequest.ANY,
                        Resource.newInstance(memory, 1),
                        count,
                        true,
                        null,
                        ExecutionTypeRequest.newInstance(ExecutionType.OPPORTUNISTIC, true))),
                List.of());
        long deadline = System.nanoTime() + Await.stretched(DEADLINE).toNanos();
        while (app.containers.size() < before + count) {
            assertThat(System.nanoTime()).as("opportunistic containers").isLessThan(deadline);
            LockSupport.parkNanos(10_000_000);
            app.collect();
        }
        fixture.rm.drainEvents();
        return List.copyOf(app.containers.subList(before, app.containers.size()));
    }

    private static Container runOne(RmFixture fixture, RmFixture.App app) throws Exception {
        app.ask(1, 1_000, 1);
        fixture.heartbeat();
        app.collect();
        fixture.run(app.containers);
        return app.containers.get(0);
    }

    private static AllocateResponse change(RmFixture fixture, RmFixture.App app, Container container, ExecutionType to)
            throws Exception {
        ContainerUpdateType type = to == ExecutionType.GUARANTEED
                ? ContainerUpdateType.PROMOTE_EXECUTION_TYPE
                : ContainerUpdateType.DEMOTE_EXECUTION_TYPE;
        AllocateResponse response = app.am.sendContainerUpdateRequest(
                List.of(UpdateContainerRequest.newInstance(container.getVersion(), container.getId(), type, null, to)));
        fixture.rm.drainEvents();
        return response;
    }

    private static Container updated(AllocateResponse response) {
        assertThat(response.getUpdateErrors()).isEmpty();
        assertThat(response.getUpdatedContainers()).hasSize(1);
        UpdatedContainer updated = response.getUpdatedContainers().get(0);
        return updated.getContainer();
    }

    private static void assertGuaranteed(RmFixture fixture, int memory, int containers) {
        fixture.rm.drainEvents();
        ClusterInvariants.balance(fixture.shell());
        assertThat(fixture.queue("root.default").schedulable().usage(0)).isEqualTo(memory);
        assertThat(fixture.queue("root.default").schedulable().running()).isEqualTo(containers);
        assertThat(fixture.seen(A).getUnallocatedResource().getMemorySize()).isEqualTo(4_000 - memory);
        assertThat(RmFixture.busy(fixture.queue("root.default").getMetrics()))
                .startsWith("allocated %d MB %d cores %d containers".formatted(memory, containers, containers));
    }

    @Test
    void opportunisticContainersAreNobodysShare() throws Exception {
        try (RmFixture fixture = fixture()) {
            RmFixture.App app = fixture.managed("alice", "default", 1_000);
            List<Container> given = opportunistic(fixture, app, 6, 1_000);
            assertThat(given).as("more than the node has room for").hasSize(6);
            assertThat(given).extracting(Container::getExecutionType).containsOnly(ExecutionType.OPPORTUNISTIC);
            assertGuaranteed(fixture, 1_000, 1);
            app.ask(3, 1_000, 1);
            fixture.heartbeat();
            app.collect();
            assertGuaranteed(fixture, 4_000, 4);
            fixture.run(given);
            fixture.finish(given.subList(0, 2));
            app.release(given.get(2).getId());
            assertGuaranteed(fixture, 4_000, 4);
            app.end();
            fixture.finish(app.containers);
            fixture.assertNothingLeft();
        }
    }

    @Test
    void aContainerIsPromotedWhenItIsItsApplicationsTurnAndDemotedAtOnce() throws Exception {
        try (RmFixture fixture = fixture()) {
            RmFixture.App app = fixture.managed("alice", "default", 1_000);
            Container container = opportunistic(fixture, app, 1, 2_000).get(0);
            fixture.run(List.of(container));
            assertThat(change(fixture, app, container, ExecutionType.GUARANTEED).getUpdatedContainers())
                    .isEmpty();
            assertThat(change(fixture, app, container, ExecutionType.GUARANTEED).getUpdateErrors())
                    .as("once is enough")
                    .singleElement()
                    .extracting(error -> error.getReason())
                    .isEqualTo("UPDATE_OUTSTANDING_ERROR");
            fixture.heartbeat();
            Container promoted = updated(app.heartbeat(List.of(), List.of()));
            assertThat(promoted.getId()).isEqualTo(container.getId());
            assertThat(promoted.getExecutionType()).isEqualTo(ExecutionType.GUARANTEED);
            assertGuaranteed(fixture, 3_000, 2);

            Container demoted = updated(change(fixture, app, promoted, ExecutionType.OPPORTUNISTIC));
            assertThat(demoted.getExecutionType()).isEqualTo(ExecutionType.OPPORTUNISTIC);
            assertGuaranteed(fixture, 1_000, 1);
            fixture.finish(List.of(container));
            assertGuaranteed(fixture, 1_000, 1);
            app.end();
            fixture.finish(app.containers);
            fixture.assertNothingLeft();
        }
    }

    @Test
    void aPromotionWaitsForRoomOnItsOwnNodeAndIsForgottenWithItsContainer() throws Exception {
        try (RmFixture fixture = fixture()) {
            RmFixture.App app = fixture.managed("alice", "default", 1_000);
            Container container = opportunistic(fixture, app, 1, 2_000).get(0);
            fixture.run(List.of(container));
            RmFixture.App full = fixture.unmanaged("bob", "default").ask(3, 1_000, 1);
            fixture.heartbeat();
            full.collect();
            node(fixture, "127.1.0.2");
            change(fixture, app, container, ExecutionType.GUARANTEED);
            fixture.heartbeat();
            assertThat(app.heartbeat(List.of(), List.of()).getUpdatedContainers())
                    .as("there is room elsewhere only")
                    .isEmpty();
            ClusterInvariants.balance(fixture.shell());
            fixture.finish(List.of(container));
            fixture.heartbeat();
            app.collect();
            ClusterInvariants.balance(fixture.shell());
            app.end();
            full.end();
            fixture.finish(full.containers);
            fixture.heartbeat();
            fixture.rm.drainEvents();
            fixture.assertNothingLeft();
        }
    }

    @Test
    void aGuaranteedContainerIsDemotedAndPromotedAgain() throws Exception {
        try (RmFixture fixture = grantedLater()) {
            RmFixture.App app = fixture.managed("alice", "default", 1_000);
            Container container = runOne(fixture, app);
            Container demoted = updated(change(fixture, app, container, ExecutionType.OPPORTUNISTIC));
            assertGuaranteed(fixture, 1_000, 1);
            change(fixture, app, demoted, ExecutionType.GUARANTEED);
            fixture.heartbeat();
            assertThat(updated(app.heartbeat(List.of(), List.of())).getVersion())
                    .isEqualTo(2);
            assertGuaranteed(fixture, 2_000, 2);
            app.end();
            fixture.finish(app.containers);
            fixture.assertNothingLeft();
        }
    }

    /** Hadoop would let it grow all the same, and be guaranteed again with only the growth booked. */
    @Test
    void aContainerThatIsStillToGrowIsNotDemoted() throws Exception {
        try (RmFixture fixture = grantedLater()) {
            RmFixture.App app = fixture.managed("alice", "default", 1_000);
            Container container = runOne(fixture, app);
            UpdateContainerRequest increase = UpdateContainerRequest.newInstance(
                    0, container.getId(), ContainerUpdateType.INCREASE_RESOURCE, Resource.newInstance(2_000, 1), null);
            UpdateContainerRequest demotion = UpdateContainerRequest.newInstance(
                    0, container.getId(), ContainerUpdateType.DEMOTE_EXECUTION_TYPE, null, ExecutionType.OPPORTUNISTIC);
            app.am.sendContainerUpdateRequest(List.of(increase));
            AllocateResponse asked = app.am.sendContainerUpdateRequest(List.of(demotion));
            assertThat(asked.getUpdateErrors()).hasSize(1);
            fixture.heartbeat();
            AllocateResponse granted = app.am.sendContainerUpdateRequest(List.of(demotion));
            fixture.rm.drainEvents();
            assertThat(granted.getUpdateErrors()).hasSize(1);
            assertThat(granted.getUpdatedContainers())
                    .singleElement()
                    .satisfies(grown ->
                            assertThat(grown.getContainer().getExecutionType()).isEqualTo(ExecutionType.GUARANTEED));
            assertGuaranteed(fixture, 3_000, 2);
            app.end();
            fixture.finish(app.containers);
            fixture.assertNothingLeft();
        }
    }

    @Test
    void aNodeThatIsLostTakesItsOpportunisticContainersAlong() throws Exception {
        try (RmFixture fixture = fixture()) {
            node(fixture, "127.1.0.2");
            RmFixture.App app = fixture.managed("alice", "default", 1_000);
            List<Container> given = opportunistic(fixture, app, 8, 1_000);
            fixture.run(given);
            fixture.rm.unRegisterNode(fixture.nodes.remove("127.1.0.2"));
            fixture.rm.drainEvents();
            assertGuaranteed(fixture, 1_000, 1);
            app.end();
            fixture.finish(given.stream()
                    .filter(container -> container.getNodeId().getHost().equals(A))
                    .toList());
            fixture.assertNothingLeft();
        }
    }

    @Test
    void withoutOpportunisticAllocationDemotionIsStillPossible() throws Exception {
        try (RmFixture fixture = fixture(YarnConfiguration.OPPORTUNISTIC_CONTAINER_ALLOCATION_ENABLED, "false")) {
            RmFixture.App app = fixture.unmanaged("alice", "default");
            Container container = runOne(fixture, app);
            AllocateResponse response = change(fixture, app, container, ExecutionType.OPPORTUNISTIC);
            assertThat(response.getUpdatedContainers()).hasSize(1);
            assertGuaranteed(fixture, 0, 0);
            app.end();
            fixture.finish(app.containers);
            fixture.assertNothingLeft();
        }
    }

    @Test
    void anOpportunisticContainerMovesWithItsApplicationAndStaysNobodysShare() throws Exception {
        try (RmFixture fixture = fixture(YarnConfiguration.OPPORTUNISTIC_CONTAINER_ALLOCATION_ENABLED, "false")) {
            fixture.write(RmFixture.ONE_LEAF.replace(
                    "<queue name=\"default\"/>", "<queue name=\"default\"/><queue name=\"b\"/>"));
            fixture.scheduler().reinitialize(fixture.conf, fixture.rm.getRMContext());
            RmFixture.App app = fixture.unmanaged("alice", "default").ask(2, 1_000, 1);
            fixture.heartbeat();
            app.collect();
            fixture.run(app.containers);
            change(fixture, app, app.containers.get(0), ExecutionType.OPPORTUNISTIC);
            fixture.scheduler().moveApplication(app.id(), "b");
            ClusterInvariants.balance(fixture.shell());
            assertThat(RmFixture.busy(fixture.queue("root.default").getMetrics()))
                    .startsWith("allocated 0 MB 0 cores 0 containers");
            assertThat(RmFixture.busy(fixture.queue("root.b").getMetrics()))
                    .startsWith("allocated 1000 MB 1 cores 1 containers");
            app.end();
            fixture.finish(app.containers);
            fixture.assertNothingLeft();
        }
    }
}
