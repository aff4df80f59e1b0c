// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.yarn.api.protocolrecords.AllocateRequest;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.ExecutionTypeRequest;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.api.records.ResourceSizing;
import org.apache.hadoop.yarn.api.records.SchedulingRequest;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.Allocation;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.ContainerUpdates;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.QueueMetrics;
import org.heddle.scheduler.yarn.RmFixture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What ApplicationMasters may say in their heartbeats. */
class AsksTest {
    private static final String A = "127.1.0.1";
    private static final Resource SMALL = Resource.newInstance(1_000, 1);
    private static final Resource LARGE = Resource.newInstance(3_000, 3);

    /** Nothing is allocated before a heartbeat, so that the tests see what is pending until then. */
    private static final String PENDING = RmFixture.atHeartbeats(RmFixture.ONE_LEAF);

    @TempDir
    Path directory;

    @Test
    void whoIsNotKnownOrNotCurrentGetsNothing() throws Exception {
        try (RmFixture fixture = new RmFixture(directory, RmFixture.ONE_LEAF)) {
            fixture.node(A, 4_000, 4);
            RmFixture.App app = fixture.unmanaged("alice", "default").ask(1, 1_000, 1);
            fixture.heartbeat();
            ApplicationAttemptId later = ApplicationAttemptId.newInstance(app.id(), 2);
            ApplicationAttemptId stranger = ApplicationAttemptId.newInstance(ApplicationId.newInstance(1, 99), 1);
            for (ApplicationAttemptId id : List.of(later, stranger)) {
                Allocation nothing = say(fixture, id, List.of(asking(1, 5, SMALL)), List.of());
                assertThat(nothing.getContainers()).isEmpty();
            }
            assertThat(fixture.schedulable("default/alice").pendingContainers()).isZero();
            app.end();
            assertThat(say(fixture, app.attempt(), List.of(asking(1, 5, SMALL)), List.of())
                            .getContainers())
                    .isEmpty();
            fixture.assertNothingLeft();
        }
    }

    @Test
    void itsOwnContainersItMayReleaseAndNobodyElses() throws Exception {
        try (RmFixture fixture = new RmFixture(directory, RmFixture.ONE_LEAF)) {
            fixture.node(A, 4_000, 4);
            RmFixture.App alice = fixture.unmanaged("alice", "default").ask(2, 1_000, 1);
            RmFixture.App bob = fixture.unmanaged("bob", "default").ask(2, 1_000, 1);
            fixture.heartbeat();
            alice.collect();
            bob.collect();
            alice.release(alice.ids().get(0));
            assertThat(fixture.schedulable("default/alice").runningContainers()).isEqualTo(1);
            alice.release(alice.ids().get(0), ContainerId.newContainerId(alice.attempt(), 777));
            assertThat(fixture.schedulable("default/alice").runningContainers()).isEqualTo(1);
            // Through the ResourceManager a master may not even name another's container.
            assertThat(org.assertj.core.api.Assertions.catchThrowable(
                            () -> alice.release(bob.ids().get(0))))
                    .isNotNull();
            assertThat(fixture.schedulable("default/bob").runningContainers()).isEqualTo(2);
            alice.end();
            bob.end();
            fixture.assertNothingLeft();
        }
    }

    @Test
    void emptyChangedAndWithdrawnAsks() throws Exception {
        try (RmFixture fixture = new RmFixture(directory, PENDING)) {
            fixture.node(A, 4_000, 4);
            RmFixture.App app = fixture.unmanaged("alice", "default");
            app.heartbeat(List.of(), List.of());
            assertThat(fixture.schedulable("default/alice").pendingContainers()).isZero();

            app.ask(5, 1_000, 1);
            assertThat(fixture.schedulable("default/alice").demand()).containsEntry("memory-mb", 5_000L);
            app.ask(2, 2_000, 1);
            assertThat(fixture.schedulable("default/alice").demand()).containsEntry("memory-mb", 4_000L);
            app.ask(0, 2_000, 1);
            assertThat(fixture.schedulable("default/alice").pendingContainers()).isZero();
            assertThat(fixture.scheduler().getRootQueueMetrics().getPendingContainers())
                    .isZero();
            fixture.heartbeat();
            assertThat(app.collect().containers).isEmpty();

            app.ask(1, 2_000, 1);
            app.ask(3, 1_000, 1);
            fixture.heartbeat();
            assertThat(app.collect().containers)
                    .hasSize(3)
                    .allMatch(container -> container.getResource().getMemorySize() == 1_000);
            app.end();
            fixture.assertNothingLeft();
        }
    }

    @Test
    void aNegativeNumberOfContainersIsRefusedAndCountsNowhere() throws Exception {
        try (RmFixture fixture = new RmFixture(directory, PENDING)) {
            fixture.node(A, 4_000, 4);
            RmFixture.App app = fixture.unmanaged("alice", "default").ask(2, 1_000, 1);
            assertThatThrownBy(() -> app.heartbeat(List.of(asking(1, 3, LARGE), asking(7, -5, SMALL)), List.of()))
                    .hasMessageContaining("Application " + app.id() + " asks for -5 containers of priority 7:"
                            + " the number must be 0, which withdraws the ask, or more");
            ResourceSizing sizing = ResourceSizing.newInstance(-4, SMALL);
            SchedulingRequest request = SchedulingRequest.newInstance(
                    1L, Priority.newInstance(3), ExecutionTypeRequest.newInstance(), Set.of("tag"), sizing, null);
            assertThatThrownBy(() -> fixture.scheduler()
                            .allocate(
                                    app.attempt(),
                                    List.of(),
                                    List.of(request),
                                    List.of(),
                                    List.of(),
                                    List.of(),
                                    new ContainerUpdates()))
                    .hasMessageContaining("asks for -4 containers of priority 3");
            assertThat(fixture.scheduler().getRootQueueMetrics().getPendingContainers())
                    .as("nothing of a refused heartbeat counts")
                    .isEqualTo(2);
            app.end();
            fixture.assertNothingLeft();
        }
    }

    @Test
    void pendingCoresThatNoIntHoldsAreTheLargestInt() throws Exception {
        try (RmFixture fixture = new RmFixture(directory, RmFixture.ONE_LEAF)) {
            fixture.node(A, 4_000, 4);
            RmFixture.App app = fixture.unmanaged("alice", "default");
            QueueMetrics leaf = fixture.queue("root.default").getMetrics();
            app.ask(1 << 30, 1_000, 3);
            assertThat(leaf.getPendingVirtualCores()).isEqualTo(Integer.MAX_VALUE);
            assertThat(fixture.scheduler().getRootQueueMetrics().getPendingVirtualCores())
                    .isEqualTo(Integer.MAX_VALUE);
            app.ask(1 << 30, 1_000, 4);
            assertThat(leaf.getUserMetrics("alice").getPendingVirtualCores()).isEqualTo(Integer.MAX_VALUE);
            QueueMetrics unlabelled = leaf.getPartitionQueueMetrics("");
            assertThat(unlabelled.getPendingVirtualCores()).isEqualTo(Integer.MAX_VALUE);
            assertThat(unlabelled.getUserMetrics("alice").getPendingVirtualCores())
                    .isEqualTo(Integer.MAX_VALUE);
            assertThat(QueueMetrics.getQueueMetrics())
                    .as("in all queues")
                    .extractingByKey("default.")
                    .extracting(QueueMetrics::getPendingVirtualCores)
                    .isEqualTo(Integer.MAX_VALUE);
            assertThat(leaf.getPendingVirtualCores())
                    .as("2^32, which is 0 in an int")
                    .isEqualTo(Integer.MAX_VALUE);
            fixture.heartbeat();
            app.collect();
            assertThat(leaf.getPendingVirtualCores()).isEqualTo(Integer.MAX_VALUE);
            app.ask(5, 1_000, 4);
            assertThat(leaf.getPendingVirtualCores()).isEqualTo(20);
            app.end();
            fixture.assertNothingLeft();
        }
    }

    /** YARN lets a master change only the number, and says so to it; it is no error of the scheduler. */
    @Test
    void anAskWithConstraintsMayChangeItsNumberOnly() throws Exception {
        try (RmFixture fixture = new RmFixture(
                directory,
                RmFixture.ONE_LEAF,
                YarnConfiguration.RM_PLACEMENT_CONSTRAINTS_HANDLER,
                YarnConfiguration.SCHEDULER_RM_PLACEMENT_CONSTRAINTS_HANDLER)) {
            fixture.node(A, 4_000, 4);
            RmFixture.App app = fixture.unmanaged("alice", "default");
            constrained(app, 3, SMALL);
            constrained(app, 2, SMALL);
            assertThat(fixture.schedulable("default/alice").pendingContainers()).isEqualTo(2);
            assertThatThrownBy(() -> constrained(app, 2, LARGE))
                    .hasMessageContaining("we only allows changing numAllocations");
            ResourceRequest plain = asking(4, 1, SMALL);
            plain.setAllocationRequestId(0);
            assertThatThrownBy(() -> app.heartbeat(List.of(plain), List.of()))
                    .hasMessageContaining("there exists a SchedulingRequest with the same scheduler key");
            fixture.heartbeat();
            assertThat(app.collect().containers).hasSize(2);
            app.end();
            fixture.assertNothingLeft();
        }
    }

    /** Without a constraint of its own: Hadoop fails when it compares such requests. */
    private static void constrained(RmFixture.App app, int count, Resource size) throws Exception {
        AllocateRequest heartbeat = AllocateRequest.newInstance(app.am.getResponseId(), 0f, List.of(), List.of(), null);
        heartbeat.setSchedulingRequests(List.of(SchedulingRequest.newInstance(
                0L,
                Priority.newInstance(4),
                ExecutionTypeRequest.newInstance(),
                Set.of("tag"),
                ResourceSizing.newInstance(count, size),
                null)));
        app.am.allocate(heartbeat);
    }

    @Test
    void theHighestPriorityIsServedFirstAndALowerOneWhereThatDoesNotFit() throws Exception {
        try (RmFixture fixture = new RmFixture(directory, RmFixture.ONE_LEAF)) {
            fixture.node(A, 7_000, 7);
            RmFixture.App app = fixture.unmanaged("alice", "default");
            app.heartbeat(List.of(asking(20, 9, SMALL), asking(1, 5, LARGE)), List.of());
            fixture.heartbeat();
            app.collect();
            assertThat(app.containers)
                    .extracting(container -> container.getPriority().getPriority())
                    .containsExactly(1, 1, 20);
            app.end();
            fixture.assertNothingLeft();
        }
    }

    @Test
    void asksAreToldApartByTheirRequestIds() throws Exception {
        try (RmFixture fixture = new RmFixture(directory, PENDING)) {
            fixture.node(A, 9_000, 9);
            RmFixture.App app = fixture.unmanaged("alice", "default");
            List<ResourceRequest> asks = new ArrayList<>();
            for (long requestId = 1; requestId <= 3; requestId++) {
                ResourceRequest ask = asking(5, (int) requestId, SMALL);
                ask.setAllocationRequestId(requestId);
                asks.add(ask);
            }
            app.heartbeat(asks, List.of());
            assertThat(fixture.schedulable("default/alice").pendingContainers()).isEqualTo(6);
            fixture.heartbeat();
            app.collect();
            assertThat(app.containers)
                    .extracting(Container::getAllocationRequestId)
                    .containsExactlyInAnyOrder(1L, 2L, 2L, 3L, 3L, 3L);
            app.end();
            fixture.assertNothingLeft();
        }
    }

    @Test
    void whatIsLeftForItIsWhatItsHeadroomSays() throws Exception {
        String limited = "<heddle-scheduler version=\"1\"><queue name=\"root\"><queue name=\"default\">"
                + "<max-resources><resource name=\"memory-mb\">6000</resource></max-resources>"
                + "</queue></queue></heddle-scheduler>";
        try (RmFixture fixture = new RmFixture(directory, limited)) {
            fixture.node(A, 4_000, 4);
            fixture.node("127.1.0.2", 4_000, 4);
            RmFixture.App app = fixture.unmanaged("alice", "default").ask(1, 1_000, 1);
            fixture.heartbeat();
            assertThat(app.heartbeat(List.of(), List.of()).getAvailableResources())
                    .as("the queue's limit")
                    .isEqualTo(Resource.newInstance(5_000, 7));
            Allocation afterwards = fixture.scheduler()
                    .allocate(
                            app.attempt(),
                            List.of(),
                            List.of(),
                            List.of(),
                            List.of(A),
                            List.of(),
                            new ContainerUpdates());
            assertThat(afterwards.getResourceLimit().getMemorySize())
                    .as("without the node that it does not want")
                    .isLessThanOrEqualTo(4_000);
        }
    }

    @Test
    void sizesAreRoundedUpToTheLeast() throws Exception {
        try (RmFixture fixture = new RmFixture(
                directory,
                RmFixture.ONE_LEAF,
                "yarn.scheduler.minimum-allocation-mb",
                "512",
                "yarn.acl.enable",
                "false")) {
            fixture.node(A, 4_000, 4);
            RmFixture.App app = fixture.unmanaged("alice", "default").ask(1, 100, 1);
            fixture.heartbeat();
            assertThat(app.collect().containers)
                    .singleElement()
                    .satisfies(
                            container -> assertThat(container.getResource()).isEqualTo(Resource.newInstance(512, 1)));
        }
    }

    @Test
    void asksThatForgetWhatIsOnItsWayAreCorrectedWhereHadoopCan() throws Exception {
        try (RmFixture fixture = new RmFixture(
                directory, PENDING, "yarn.resourcemanager.scheduler.autocorrect.container.allocation", "true")) {
            fixture.node(A, 9_000, 9);
            RmFixture.App app = fixture.unmanaged("alice", "default").ask(4, 1_000, 1);
            fixture.heartbeat();
            app.ask(4, 1_000, 1);
            assertThat(app.containers).as("the four of the first ask").hasSize(4);
            assertThat(fixture.schedulable("default/alice").pendingContainers())
                    .as("the second ask meant the same four, which Hadoop 3.4 cannot know")
                    .isEqualTo(canCorrect() ? 0 : 4);
            if (!canCorrect()) {
                return;
            }

            app.ask(3, 2_000, 1);
            fixture.heartbeat();
            app.ask(1, 2_000, 1);
            assertThat(app.containers).as("one of two too many was taken back").hasSize(5);
            assertThat(fixture.schedulable("default/alice").runningContainers()).isEqualTo(5);
            assertThat(fixture.schedulable("default/alice").pendingContainers()).isZero();
            app.end();
            fixture.assertNothingLeft();
        }
    }

    private static boolean canCorrect() {
        for (var method :
                org.apache.hadoop.yarn.server.resourcemanager.scheduler.AbstractYarnScheduler.class
                        .getDeclaredMethods()) {
            if (method.getName().equals("autoCorrectContainerAllocation")) {
                return true;
            }
        }
        return false;
    }

    private static Allocation say(
            RmFixture fixture, ApplicationAttemptId id, List<ResourceRequest> asks, List<ContainerId> releases) {
        return fixture.scheduler()
                .allocate(id, asks, List.of(), releases, List.of(), List.of(), new ContainerUpdates());
    }

    private static ResourceRequest asking(int priority, int count, Resource size) {
        return ResourceRequest.newInstance(Priority.newInstance(priority), ResourceRequest.ANY, size, count);
    }
}
