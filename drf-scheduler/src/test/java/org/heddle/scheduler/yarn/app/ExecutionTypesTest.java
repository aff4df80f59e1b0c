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

    private RmFixture bed(String... more) throws Exception {
        RmFixture bed = more.length > 0
                ? new RmFixture(directory, RmFixture.ONE_LEAF, more)
                : new RmFixture(
                        directory,
                        RmFixture.ONE_LEAF,
                        YarnConfiguration.OPPORTUNISTIC_CONTAINER_ALLOCATION_ENABLED,
                        "true",
                        YarnConfiguration.NM_CONTAINER_QUEUING_SORTING_NODES_INTERVAL_MS,
                        "20");
        node(bed, A);
        return bed;
    }

    private static void node(RmFixture bed, String host) throws Exception {
        MockNM node = new RoomyNode(host, bed);
        node.registerNode();
        bed.nodes.put(host, node);
        bed.rm.drainEvents();
        node.nodeHeartbeat(true);
        bed.rm.drainEvents();
    }

    /**
     * Reports room in its queue with every heartbeat: the first that the allocator sees, on a thread of its own, counts for
     * ever.
     */
    private static final class RoomyNode extends MockNM {
        RoomyNode(String host, RmFixture bed) {
            super(host + ":1234", 4_000, 4, bed.rm.getResourceTrackerService());
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
    private static List<Container> opportunistic(RmFixture bed, RmFixture.App app, int count, int memory)
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
        bed.rm.drainEvents();
        return List.copyOf(app.containers.subList(before, app.containers.size()));
    }

    private static Container runOne(RmFixture bed, RmFixture.App app) throws Exception {
        app.ask(1, 1_000, 1);
        bed.heartbeat();
        app.collect();
        bed.run(app.containers);
        return app.containers.get(0);
    }

    private static AllocateResponse change(RmFixture bed, RmFixture.App app, Container container, ExecutionType to)
            throws Exception {
        ContainerUpdateType type = to == ExecutionType.GUARANTEED
                ? ContainerUpdateType.PROMOTE_EXECUTION_TYPE
                : ContainerUpdateType.DEMOTE_EXECUTION_TYPE;
        AllocateResponse response = app.am.sendContainerUpdateRequest(
                List.of(UpdateContainerRequest.newInstance(container.getVersion(), container.getId(), type, null, to)));
        bed.rm.drainEvents();
        return response;
    }

    private static Container updated(AllocateResponse response) {
        assertThat(response.getUpdateErrors()).isEmpty();
        assertThat(response.getUpdatedContainers()).hasSize(1);
        UpdatedContainer updated = response.getUpdatedContainers().get(0);
        return updated.getContainer();
    }

    private static void assertGuaranteed(RmFixture bed, int memory, int containers) {
        bed.rm.drainEvents();
        ClusterInvariants.balance(bed.shell());
        assertThat(bed.queue("root.default").schedulable().usage(0)).isEqualTo(memory);
        assertThat(bed.queue("root.default").schedulable().running()).isEqualTo(containers);
        assertThat(bed.seen(A).getUnallocatedResource().getMemorySize()).isEqualTo(4_000 - memory);
        assertThat(RmFixture.busy(bed.queue("root.default").getMetrics()))
                .startsWith("allocated %d MB %d cores %d containers".formatted(memory, containers, containers));
    }

    @Test
    void opportunisticContainersAreNobodysShare() throws Exception {
        try (RmFixture bed = bed()) {
            RmFixture.App app = bed.managed("alice", "default", 1_000);
            List<Container> given = opportunistic(bed, app, 6, 1_000);
            assertThat(given).as("more than the node has room for").hasSize(6);
            assertThat(given).extracting(Container::getExecutionType).containsOnly(ExecutionType.OPPORTUNISTIC);
            assertGuaranteed(bed, 1_000, 1);
            app.ask(3, 1_000, 1);
            bed.heartbeat();
            app.collect();
            assertGuaranteed(bed, 4_000, 4);
            bed.run(given);
            bed.finish(given.subList(0, 2));
            app.release(given.get(2).getId());
            assertGuaranteed(bed, 4_000, 4);
            app.end();
            bed.finish(app.containers);
            bed.assertNothingLeft();
        }
    }

    @Test
    void aContainerIsPromotedWhenItIsItsApplicationsTurnAndDemotedAtOnce() throws Exception {
        try (RmFixture bed = bed()) {
            RmFixture.App app = bed.managed("alice", "default", 1_000);
            Container container = opportunistic(bed, app, 1, 2_000).get(0);
            bed.run(List.of(container));
            assertThat(change(bed, app, container, ExecutionType.GUARANTEED).getUpdatedContainers())
                    .isEmpty();
            assertThat(change(bed, app, container, ExecutionType.GUARANTEED).getUpdateErrors())
                    .as("once is enough")
                    .singleElement()
                    .extracting(error -> error.getReason())
                    .isEqualTo("UPDATE_OUTSTANDING_ERROR");
            bed.heartbeat();
            Container promoted = updated(app.heartbeat(List.of(), List.of()));
            assertThat(promoted.getId()).isEqualTo(container.getId());
            assertThat(promoted.getExecutionType()).isEqualTo(ExecutionType.GUARANTEED);
            assertGuaranteed(bed, 3_000, 2);

            Container demoted = updated(change(bed, app, promoted, ExecutionType.OPPORTUNISTIC));
            assertThat(demoted.getExecutionType()).isEqualTo(ExecutionType.OPPORTUNISTIC);
            assertGuaranteed(bed, 1_000, 1);
            bed.finish(List.of(container));
            assertGuaranteed(bed, 1_000, 1);
            app.end();
            bed.finish(app.containers);
            bed.assertNothingLeft();
        }
    }

    @Test
    void aPromotionWaitsForRoomOnItsOwnNodeAndIsForgottenWithItsContainer() throws Exception {
        try (RmFixture bed = bed()) {
            RmFixture.App app = bed.managed("alice", "default", 1_000);
            Container container = opportunistic(bed, app, 1, 2_000).get(0);
            bed.run(List.of(container));
            RmFixture.App full = bed.unmanaged("bob", "default").ask(3, 1_000, 1);
            bed.heartbeat();
            full.collect();
            node(bed, "127.1.0.2");
            change(bed, app, container, ExecutionType.GUARANTEED);
            bed.heartbeat();
            assertThat(app.heartbeat(List.of(), List.of()).getUpdatedContainers())
                    .as("there is room elsewhere only")
                    .isEmpty();
            ClusterInvariants.balance(bed.shell());
            bed.finish(List.of(container));
            bed.heartbeat();
            app.collect();
            ClusterInvariants.balance(bed.shell());
            app.end();
            full.end();
            bed.finish(full.containers);
            bed.heartbeat();
            bed.rm.drainEvents();
            bed.assertNothingLeft();
        }
    }

    @Test
    void aGuaranteedContainerIsDemotedAndPromotedAgain() throws Exception {
        try (RmFixture bed = bed()) {
            RmFixture.App app = bed.managed("alice", "default", 1_000);
            Container container = runOne(bed, app);
            Container demoted = updated(change(bed, app, container, ExecutionType.OPPORTUNISTIC));
            assertGuaranteed(bed, 1_000, 1);
            change(bed, app, demoted, ExecutionType.GUARANTEED);
            bed.heartbeat();
            assertThat(updated(app.heartbeat(List.of(), List.of())).getVersion())
                    .isEqualTo(2);
            assertGuaranteed(bed, 2_000, 2);
            app.end();
            bed.finish(app.containers);
            bed.assertNothingLeft();
        }
    }

    /** Hadoop would let it grow all the same, and be guaranteed again with only the growth booked. */
    @Test
    void aContainerThatIsStillToGrowIsNotDemoted() throws Exception {
        try (RmFixture bed = bed()) {
            RmFixture.App app = bed.managed("alice", "default", 1_000);
            Container container = runOne(bed, app);
            UpdateContainerRequest increase = UpdateContainerRequest.newInstance(
                    0, container.getId(), ContainerUpdateType.INCREASE_RESOURCE, Resource.newInstance(2_000, 1), null);
            UpdateContainerRequest demotion = UpdateContainerRequest.newInstance(
                    0, container.getId(), ContainerUpdateType.DEMOTE_EXECUTION_TYPE, null, ExecutionType.OPPORTUNISTIC);
            app.am.sendContainerUpdateRequest(List.of(increase));
            AllocateResponse asked = app.am.sendContainerUpdateRequest(List.of(demotion));
            assertThat(asked.getUpdateErrors()).hasSize(1);
            bed.heartbeat();
            AllocateResponse granted = app.am.sendContainerUpdateRequest(List.of(demotion));
            bed.rm.drainEvents();
            assertThat(granted.getUpdateErrors()).hasSize(1);
            assertThat(granted.getUpdatedContainers())
                    .singleElement()
                    .satisfies(grown ->
                            assertThat(grown.getContainer().getExecutionType()).isEqualTo(ExecutionType.GUARANTEED));
            assertGuaranteed(bed, 3_000, 2);
            app.end();
            bed.finish(app.containers);
            bed.assertNothingLeft();
        }
    }

    @Test
    void aNodeThatIsLostTakesItsOpportunisticContainersAlong() throws Exception {
        try (RmFixture bed = bed()) {
            node(bed, "127.1.0.2");
            RmFixture.App app = bed.managed("alice", "default", 1_000);
            List<Container> given = opportunistic(bed, app, 8, 1_000);
            bed.run(given);
            bed.rm.unRegisterNode(bed.nodes.remove("127.1.0.2"));
            bed.rm.drainEvents();
            assertGuaranteed(bed, 1_000, 1);
            app.end();
            bed.finish(given.stream()
                    .filter(container -> container.getNodeId().getHost().equals(A))
                    .toList());
            bed.assertNothingLeft();
        }
    }

    @Test
    void withoutOpportunisticAllocationDemotionIsStillPossible() throws Exception {
        try (RmFixture bed = bed(YarnConfiguration.OPPORTUNISTIC_CONTAINER_ALLOCATION_ENABLED, "false")) {
            RmFixture.App app = bed.unmanaged("alice", "default");
            Container container = runOne(bed, app);
            AllocateResponse response = change(bed, app, container, ExecutionType.OPPORTUNISTIC);
            assertThat(response.getUpdatedContainers()).hasSize(1);
            assertGuaranteed(bed, 0, 0);
            app.end();
            bed.finish(app.containers);
            bed.assertNothingLeft();
        }
    }

    @Test
    void anOpportunisticContainerMovesWithItsApplicationAndStaysNobodysShare() throws Exception {
        try (RmFixture bed = bed(YarnConfiguration.OPPORTUNISTIC_CONTAINER_ALLOCATION_ENABLED, "false")) {
            bed.write(RmFixture.ONE_LEAF.replace(
                    "<queue name=\"default\"/>", "<queue name=\"default\"/><queue name=\"b\"/>"));
            bed.scheduler().reinitialize(bed.conf, bed.rm.getRMContext());
            RmFixture.App app = bed.unmanaged("alice", "default").ask(2, 1_000, 1);
            bed.heartbeat();
            app.collect();
            bed.run(app.containers);
            change(bed, app, app.containers.get(0), ExecutionType.OPPORTUNISTIC);
            bed.scheduler().moveApplication(app.id(), "b");
            ClusterInvariants.balance(bed.shell());
            assertThat(RmFixture.busy(bed.queue("root.default").getMetrics()))
                    .startsWith("allocated 0 MB 0 cores 0 containers");
            assertThat(RmFixture.busy(bed.queue("root.b").getMetrics()))
                    .startsWith("allocated 1000 MB 1 cores 1 containers");
            app.end();
            bed.finish(app.containers);
            bed.assertNothingLeft();
        }
    }
}
