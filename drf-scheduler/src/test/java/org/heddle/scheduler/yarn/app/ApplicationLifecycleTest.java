// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.AbstractList;
import java.util.List;
import org.apache.hadoop.yarn.api.protocolrecords.RegisterApplicationMasterResponse;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ContainerExitStatus;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.ContainerState;
import org.apache.hadoop.yarn.api.records.ContainerStatus;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.api.records.SchedulingRequest;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.MockAM;
import org.apache.hadoop.yarn.server.resourcemanager.MockRMAppSubmissionData;
import org.apache.hadoop.yarn.server.resourcemanager.MockRMAppSubmitter;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMApp;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMAppState;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.attempt.RMAppAttemptState;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.Allocation;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.ContainerUpdates;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.ContainerExpiredSchedulerEvent;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.NodeUpdateSchedulerEvent;
import org.heddle.scheduler.yarn.HeddleScheduler;
import org.heddle.scheduler.yarn.RmFixture;
import org.heddle.scheduler.yarn.queue.HeddleQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Applications and their attempts, from submission to the last trace of them. */
class ApplicationLifecycleTest {
    private static final String A = "127.1.0.1";
    private static final String B = "127.1.0.2";

    @TempDir
    Path directory;

    @Test
    void anApplicationThatEndsLeavesNothingBehind() throws Exception {
        try (RmFixture fixture = new RmFixture(directory, RmFixture.ONE_LEAF)) {
            fixture.node(A, 8_000, 8);
            RmFixture.App app = fixture.managed("alice", "default", 1_000);
            app.ask(20, 1_000, 1);
            fixture.heartbeat();
            fixture.run(app.collect().containers.subList(0, 3));
            assertThat(app.containers).hasSize(7);
            HeddleQueue leaf = fixture.queue("root.default");
            assertThat(RmFixture.busy(leaf.getMetrics()))
                    .isEqualTo("allocated 8000 MB 8 cores 8 containers, pending 13000 MB 13 cores 13 containers,"
                            + " reserved 0 MB 0 cores 0 containers, applications 0 pending 1 running");
            assertThat(RmFixture.busy(leaf.getMetrics().getUserMetrics("alice")))
                    .startsWith("allocated 8000 MB 8 cores 8 containers, pending 13000 MB");
            app.end();
            fixture.finish(app.containers.subList(0, 3));
            fixture.assertNothingLeft();
            assertThat(RmFixture.busy(leaf.getMetrics().getUserMetrics("alice")))
                    .isEqualTo(RmFixture.busy(fixture.scheduler().getRootQueueMetrics()));
            assertThat(leaf.getMetrics().getAppsCompleted()).isEqualTo(1);
        }
    }

    @Test
    void anApplicationKilledBeforeItRunsLeavesNothingBehind() throws Exception {
        try (RmFixture fixture = new RmFixture(directory, RmFixture.ONE_LEAF)) {
            RMApp waiting = fixture.submit("alice", "default", 1_000);
            fixture.rm.waitForState(waiting.getApplicationId(), RMAppState.ACCEPTED);
            assertThat(fixture.schedulable("default/alice").pendingContainers()).isEqualTo(1);
            fixture.rm.killApp(waiting.getApplicationId());
            fixture.rm.waitForState(waiting.getApplicationId(), RMAppState.KILLED);
            fixture.rm.waitForAppRemovedFromScheduler(waiting.getApplicationId());
            fixture.assertNothingLeft();
            assertThat(fixture.queue("root").getMetrics().getAppsKilled()).isEqualTo(1);
        }
    }

    /** Grants, in the middle of every call that asks for something, what its nodes have room for. */
    public static final class GrantsWithinTheCall extends HeddleScheduler {
        public GrantsWithinTheCall() {
            super(GrantsWithinTheCall.class.getName());
        }

        @Override
        public Allocation allocate(
                ApplicationAttemptId id,
                List<ResourceRequest> asks,
                List<SchedulingRequest> schedulingRequests,
                List<ContainerId> releases,
                List<String> blacklistAdditions,
                List<String> blacklistRemovals,
                ContainerUpdates updates) {
            // The scheduler looks at these requests without the attempt's lock, also after it has taken the asks.
            List<SchedulingRequest> grants = new AbstractList<>() {
                @Override
                public int size() {
                    getNodes(node -> true).forEach(node -> handle(new NodeUpdateSchedulerEvent(node.getRMNode())));
                    return 0;
                }

                @Override
                public SchedulingRequest get(int index) {
                    throw new IndexOutOfBoundsException(index);
                }
            };
            return super.allocate(id, asks, grants, releases, blacklistAdditions, blacklistRemovals, updates);
        }
    }

    @Test
    void aMasterGrantedWithinTheCallThatAsksForItStarts() throws Exception {
        try (RmFixture fixture = new RmFixture(
                directory, RmFixture.ONE_LEAF, YarnConfiguration.RM_SCHEDULER, GrantsWithinTheCall.class.getName())) {
            fixture.node(A, 8_000, 8);
            RMApp app = fixture.submit("alice", "default", 1_000);
            fixture.rm.waitForState(app.getApplicationId(), RMAppState.ACCEPTED);
            fixture.rm.waitForState(app.getCurrentAppAttempt().getAppAttemptId(), RMAppAttemptState.ALLOCATED);
            MockAM am = fixture.rm.sendAMLaunched(app.getCurrentAppAttempt().getAppAttemptId());
            am.registerAppAttempt();
            RmFixture.App started = fixture.new App(app, am);
            started.ask(2, 1_000, 1);
            assertThat(started.containers).as("handed out in the same call").hasSize(2);
            started.end();
            fixture.assertNothingLeft();
        }
    }

    @Test
    void whenTheMasterFailsASecondAttemptGetsItsTurn() throws Exception {
        try (RmFixture fixture = new RmFixture(directory, RmFixture.ONE_LEAF)) {
            fixture.node(A, 8_000, 8);
            RmFixture.App app = fixture.managed("alice", "default", 1_000);
            app.ask(3, 1_000, 1);
            fixture.heartbeat();
            fixture.run(app.collect().containers);

            RmFixture.App second = failMaster(fixture, app);
            assertThat(fixture.schedulable("default/alice").runningContainers())
                    .as("the first attempt's are gone")
                    .isEqualTo(1);
            assertThat(fixture.schedulable("default/alice").pendingContainers()).isZero();
            fixture.finish(app.containers);
            second.ask(7, 1_000, 1);
            fixture.heartbeat();
            assertThat(second.collect().containers).hasSize(7);
            second.end();
            fixture.assertNothingLeft();
        }
    }

    @Test
    void containersKeptAcrossAttemptsStayOnTheAccountAndAreReported() throws Exception {
        try (RmFixture fixture = new RmFixture(directory, RmFixture.ONE_LEAF)) {
            fixture.node(A, 8_000, 8);
            RmFixture.App app = keeping(fixture);
            app.ask(3, 1_000, 1);
            fixture.heartbeat();
            app.collect();
            fixture.run(app.containers.subList(0, 2));
            fixture.run(List.of(master(app)));

            fixture.node(A).nodeHeartbeat(app.attempt(), 1, ContainerState.COMPLETE);
            fixture.rm.waitForState(app.attempt(), RMAppAttemptState.FAILED);
            fixture.rm.drainEvents();
            MockAM next = fixture.launch(app.app, fixture.node(A));
            RegisterApplicationMasterResponse registered = next.registerAppAttempt();
            assertThat(registered.getContainersFromPreviousAttempts())
                    .extracting(Container::getId)
                    .as("those that ran")
                    .containsExactlyInAnyOrderElementsOf(app.ids().subList(0, 2));
            assertThat(fixture.schedulable("default/alice").runningContainers()).isEqualTo(3);
            assertThat(fixture.scheduler().getRootQueueMetrics().getAllocatedMB())
                    .isEqualTo(3_000);

            RmFixture.App second = fixture.new App(app.app, next);
            fixture.finish(app.containers.subList(0, 1));
            assertThat(second.heartbeat(List.of(), List.of()).getCompletedContainersStatuses())
                    .extracting(ContainerStatus::getContainerId)
                    .contains(app.ids().get(0));
            second.release(app.ids().get(1));
            assertThat(fixture.schedulable("default/alice").runningContainers()).isEqualTo(1);
            second.end();
            fixture.finish(app.containers.subList(1, 2));
            fixture.assertNothingLeft();
        }
    }

    @Test
    void containersKeptThatNobodyTakesOverEndWithTheApplication() throws Exception {
        try (RmFixture fixture = new RmFixture(directory, RmFixture.ONE_LEAF)) {
            fixture.node(A, 8_000, 8);
            RmFixture.App app = keeping(fixture);
            app.ask(3, 1_000, 1);
            fixture.heartbeat();
            fixture.run(app.collect().containers);
            fixture.run(List.of(master(app)));
            fixture.node(A).nodeHeartbeat(app.attempt(), 1, ContainerState.COMPLETE);
            fixture.rm.waitForState(app.attempt(), RMAppAttemptState.FAILED);
            fixture.rm.killApp(app.id());
            fixture.rm.waitForState(app.id(), RMAppState.KILLED);
            fixture.rm.waitForAppRemovedFromScheduler(app.id());
            fixture.finish(app.containers);
            fixture.assertNothingLeft();
        }
    }

    @Test
    void aMasterLostWithItsNodeMakesRoomForAnother() throws Exception {
        try (RmFixture fixture = new RmFixture(directory, RmFixture.ONE_LEAF)) {
            fixture.node(A, 4_000, 4);
            fixture.node(B, 4_000, 4);
            RmFixture.App app = fixture.managed("alice", "default", 1_000);
            fixture.run(List.of(master(app)));
            fixture.rm.sendNodeLost(fixture.node(A));
            fixture.nodes.remove(A);
            fixture.rm.waitForState(app.attempt(), RMAppAttemptState.FAILED);
            fixture.rm.drainEvents();
            MockAM next = fixture.launchAndRegister(app.app, fixture.node(B));
            assertThat(fixture.queue("root.default").masters()).isEqualTo(1);
            fixture.new App(app.app, next).end();
            fixture.assertNothingLeft();
        }
    }

    @Test
    void aContainerThatIsNotLaunchedInTimeIsTakenBack() throws Exception {
        try (RmFixture fixture = new RmFixture(directory, RmFixture.ONE_LEAF)) {
            fixture.node(A, 4_000, 4);
            RmFixture.App app = fixture.unmanaged("alice", "default").ask(2, 1_000, 1);
            fixture.heartbeat();
            app.collect();
            fixture.scheduler()
                    .handle(new ContainerExpiredSchedulerEvent(app.ids().get(0)));
            fixture.rm.drainEvents();
            assertThat(app.heartbeat(List.of(), List.of()).getCompletedContainersStatuses())
                    .singleElement()
                    .satisfies(status -> assertThat(status.getExitStatus()).isEqualTo(ContainerExitStatus.ABORTED));
            assertThat(fixture.schedulable("default/alice").runningContainers()).isEqualTo(1);
            app.end();
            fixture.assertNothingLeft();
        }
    }

    /** The time was over just when the node said that it runs. */
    @Test
    void aContainerThatRunsDoesNotExpire() throws Exception {
        try (RmFixture fixture = new RmFixture(directory, RmFixture.ONE_LEAF)) {
            fixture.node(A, 4_000, 4);
            RmFixture.App app = fixture.unmanaged("alice", "default").ask(1, 1_000, 1);
            fixture.heartbeat();
            app.collect();
            fixture.run(app.containers);
            fixture.scheduler()
                    .handle(new ContainerExpiredSchedulerEvent(app.ids().get(0)));
            fixture.rm.drainEvents();
            assertThat(app.heartbeat(List.of(), List.of()).getCompletedContainersStatuses())
                    .isEmpty();
            assertThat(fixture.schedulable("default/alice").runningContainers()).isEqualTo(1);
            fixture.finish(app.containers);
            app.end();
            fixture.assertNothingLeft();
        }
    }

    private RmFixture.App failMaster(RmFixture fixture, RmFixture.App app) throws Exception {
        fixture.node(A).nodeHeartbeat(app.attempt(), 1, ContainerState.COMPLETE);
        fixture.rm.waitForState(app.attempt(), RMAppAttemptState.FAILED);
        fixture.rm.drainEvents();
        MockAM next = fixture.launchAndRegister(app.app, fixture.node(A));
        return fixture.new App(app.app, next);
    }

    private static Container master(RmFixture.App app) {
        return app.app.getCurrentAppAttempt().getMasterContainer();
    }

    private static RmFixture.App keeping(RmFixture fixture) throws Exception {
        RMApp app = MockRMAppSubmitter.submit(
                fixture.rm,
                MockRMAppSubmissionData.Builder.createWithMemory(1_000, fixture.rm)
                        .withAppName("keeps")
                        .withUser("alice")
                        .withQueue("default")
                        .withUnmanagedAM(false)
                        .withKeepContainers(true)
                        .withMaxAppAttempts(3)
                        .withWaitForAppAcceptedState(false)
                        .build());
        return fixture.new App(app, fixture.launchAndRegister(app, fixture.node(A)));
    }
}
