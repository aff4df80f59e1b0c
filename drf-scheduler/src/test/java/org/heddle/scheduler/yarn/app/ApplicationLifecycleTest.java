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
import org.apache.hadoop.yarn.server.resourcemanager.MockRM;
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
        try (RmFixture bed = new RmFixture(directory, RmFixture.ONE_LEAF)) {
            bed.node(A, 8_000, 8);
            RmFixture.App app = bed.managed("alice", "default", 1_000);
            app.ask(20, 1_000, 1);
            bed.heartbeat();
            bed.run(app.collect().containers.subList(0, 3));
            assertThat(app.containers).hasSize(7);
            HeddleQueue leaf = bed.queue("root.default");
            assertThat(RmFixture.busy(leaf.getMetrics()))
                    .isEqualTo("allocated 8000 MB 8 cores 8 containers, pending 13000 MB 13 cores 13 containers,"
                            + " reserved 0 MB 0 cores 0 containers, applications 0 pending 1 running");
            assertThat(RmFixture.busy(leaf.getMetrics().getUserMetrics("alice")))
                    .startsWith("allocated 8000 MB 8 cores 8 containers, pending 13000 MB");
            app.end();
            bed.finish(app.containers.subList(0, 3));
            bed.assertNothingLeft();
            assertThat(RmFixture.busy(leaf.getMetrics().getUserMetrics("alice")))
                    .isEqualTo(RmFixture.busy(bed.scheduler().getRootQueueMetrics()));
            assertThat(leaf.getMetrics().getAppsCompleted()).isEqualTo(1);
        }
    }

    @Test
    void anApplicationKilledBeforeItRunsLeavesNothingBehind() throws Exception {
        try (RmFixture bed = new RmFixture(directory, RmFixture.ONE_LEAF)) {
            RMApp waiting = bed.submit("alice", "default", 1_000);
            bed.rm.waitForState(waiting.getApplicationId(), RMAppState.ACCEPTED);
            assertThat(bed.schedulable("default/alice").pendingContainers()).isEqualTo(1);
            bed.rm.killApp(waiting.getApplicationId());
            bed.rm.waitForState(waiting.getApplicationId(), RMAppState.KILLED);
            bed.rm.waitForAppRemovedFromScheduler(waiting.getApplicationId());
            bed.assertNothingLeft();
            assertThat(bed.queue("root").getMetrics().getAppsKilled()).isEqualTo(1);
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
            List<String> readAfterTheAsks = new AbstractList<>() {
                @Override
                public String get(int index) {
                    throw new IndexOutOfBoundsException(index);
                }

                @Override
                public int size() {
                    getNodes(node -> true).forEach(node -> handle(new NodeUpdateSchedulerEvent(node.getRMNode())));
                    return 0;
                }
            };
            return super.allocate(
                    id,
                    asks,
                    schedulingRequests,
                    releases,
                    asks.isEmpty() ? blacklistAdditions : readAfterTheAsks,
                    blacklistRemovals,
                    updates);
        }
    }

    @Test
    void aMasterGrantedWithinTheCallThatAsksForItStarts() throws Exception {
        try (RmFixture bed = new RmFixture(
                directory, RmFixture.ONE_LEAF, YarnConfiguration.RM_SCHEDULER, GrantsWithinTheCall.class.getName())) {
            bed.node(A, 8_000, 8);
            RMApp app = bed.submit("alice", "default", 1_000);
            bed.rm.waitForState(app.getApplicationId(), RMAppState.ACCEPTED);
            bed.rm.waitForState(app.getCurrentAppAttempt().getAppAttemptId(), RMAppAttemptState.ALLOCATED);
            MockAM am = bed.rm.sendAMLaunched(app.getCurrentAppAttempt().getAppAttemptId());
            am.registerAppAttempt();
            RmFixture.App started = bed.new App(app, am);
            started.ask(2, 1_000, 1);
            assertThat(started.containers).as("handed out in the same call").hasSize(2);
            started.end();
            bed.assertNothingLeft();
        }
    }

    @Test
    void whenTheMasterFailsASecondAttemptGetsItsTurn() throws Exception {
        try (RmFixture bed = new RmFixture(directory, RmFixture.ONE_LEAF)) {
            bed.node(A, 8_000, 8);
            RmFixture.App app = bed.managed("alice", "default", 1_000);
            app.ask(3, 1_000, 1);
            bed.heartbeat();
            bed.run(app.collect().containers);

            RmFixture.App second = failMaster(bed, app);
            assertThat(bed.schedulable("default/alice").runningContainers())
                    .as("the first attempt's are gone")
                    .isEqualTo(1);
            assertThat(bed.schedulable("default/alice").pendingContainers()).isZero();
            bed.finish(app.containers);
            second.ask(7, 1_000, 1);
            bed.heartbeat();
            assertThat(second.collect().containers).hasSize(7);
            second.end();
            bed.assertNothingLeft();
        }
    }

    @Test
    void containersKeptAcrossAttemptsStayOnTheAccountAndAreReported() throws Exception {
        try (RmFixture bed = new RmFixture(directory, RmFixture.ONE_LEAF)) {
            bed.node(A, 8_000, 8);
            RmFixture.App app = keeping(bed);
            app.ask(3, 1_000, 1);
            bed.heartbeat();
            app.collect();
            bed.run(app.containers.subList(0, 2));
            bed.run(List.of(master(app)));

            bed.node(A).nodeHeartbeat(app.attempt(), 1, ContainerState.COMPLETE);
            bed.rm.waitForState(app.attempt(), RMAppAttemptState.FAILED);
            bed.rm.drainEvents();
            MockAM next = MockRM.launchAM(app.app, bed.rm, bed.node(A));
            RegisterApplicationMasterResponse registered = next.registerAppAttempt();
            assertThat(registered.getContainersFromPreviousAttempts())
                    .extracting(Container::getId)
                    .as("those that ran")
                    .containsExactlyInAnyOrderElementsOf(app.ids().subList(0, 2));
            assertThat(bed.schedulable("default/alice").runningContainers()).isEqualTo(3);
            assertThat(bed.scheduler().getRootQueueMetrics().getAllocatedMB()).isEqualTo(3_000);

            RmFixture.App second = bed.new App(app.app, next);
            bed.finish(app.containers.subList(0, 1));
            assertThat(second.heartbeat(List.of(), List.of()).getCompletedContainersStatuses())
                    .extracting(ContainerStatus::getContainerId)
                    .contains(app.ids().get(0));
            second.release(app.ids().get(1));
            assertThat(bed.schedulable("default/alice").runningContainers()).isEqualTo(1);
            second.end();
            bed.finish(app.containers.subList(1, 2));
            bed.assertNothingLeft();
        }
    }

    @Test
    void containersKeptThatNobodyTakesOverEndWithTheApplication() throws Exception {
        try (RmFixture bed = new RmFixture(directory, RmFixture.ONE_LEAF)) {
            bed.node(A, 8_000, 8);
            RmFixture.App app = keeping(bed);
            app.ask(3, 1_000, 1);
            bed.heartbeat();
            bed.run(app.collect().containers);
            bed.run(List.of(master(app)));
            bed.node(A).nodeHeartbeat(app.attempt(), 1, ContainerState.COMPLETE);
            bed.rm.waitForState(app.attempt(), RMAppAttemptState.FAILED);
            bed.rm.killApp(app.id());
            bed.rm.waitForState(app.id(), RMAppState.KILLED);
            bed.rm.waitForAppRemovedFromScheduler(app.id());
            bed.finish(app.containers);
            bed.assertNothingLeft();
        }
    }

    @Test
    void aMasterLostWithItsNodeMakesRoomForAnother() throws Exception {
        try (RmFixture bed = new RmFixture(directory, RmFixture.ONE_LEAF)) {
            bed.node(A, 4_000, 4);
            bed.node(B, 4_000, 4);
            RmFixture.App app = bed.managed("alice", "default", 1_000);
            bed.run(List.of(master(app)));
            bed.rm.sendNodeLost(bed.node(A));
            bed.nodes.remove(A);
            bed.rm.waitForState(app.attempt(), RMAppAttemptState.FAILED);
            bed.rm.drainEvents();
            MockAM next = MockRM.launchAndRegisterAM(app.app, bed.rm, bed.node(B));
            assertThat(bed.queue("root.default").masters()).isEqualTo(1);
            bed.new App(app.app, next).end();
            bed.assertNothingLeft();
        }
    }

    @Test
    void aContainerThatIsNotLaunchedInTimeIsTakenBack() throws Exception {
        try (RmFixture bed = new RmFixture(directory, RmFixture.ONE_LEAF)) {
            bed.node(A, 4_000, 4);
            RmFixture.App app = bed.unmanaged("alice", "default").ask(2, 1_000, 1);
            bed.heartbeat();
            app.collect();
            bed.scheduler().handle(new ContainerExpiredSchedulerEvent(app.ids().get(0)));
            bed.rm.drainEvents();
            assertThat(app.heartbeat(List.of(), List.of()).getCompletedContainersStatuses())
                    .singleElement()
                    .satisfies(status -> assertThat(status.getExitStatus()).isEqualTo(ContainerExitStatus.ABORTED));
            assertThat(bed.schedulable("default/alice").runningContainers()).isEqualTo(1);
            app.end();
            bed.assertNothingLeft();
        }
    }

    private RmFixture.App failMaster(RmFixture bed, RmFixture.App app) throws Exception {
        bed.node(A).nodeHeartbeat(app.attempt(), 1, ContainerState.COMPLETE);
        bed.rm.waitForState(app.attempt(), RMAppAttemptState.FAILED);
        bed.rm.drainEvents();
        MockAM next = MockRM.launchAndRegisterAM(app.app, bed.rm, bed.node(A));
        return bed.new App(app.app, next);
    }

    private static Container master(RmFixture.App app) {
        return app.app.getCurrentAppAttempt().getMasterContainer();
    }

    private static RmFixture.App keeping(RmFixture bed) throws Exception {
        RMApp app = MockRMAppSubmitter.submit(
                bed.rm,
                MockRMAppSubmissionData.Builder.createWithMemory(1_000, bed.rm)
                        .withAppName("keeps")
                        .withUser("alice")
                        .withQueue("default")
                        .withUnmanagedAM(false)
                        .withKeepContainers(true)
                        .withMaxAppAttempts(3)
                        .build());
        return bed.new App(app, MockRM.launchAndRegisterAM(app, bed.rm, bed.node(A)));
    }
}
