// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Path;
import java.util.List;
import org.apache.hadoop.yarn.api.protocolrecords.GetQueueInfoRequest;
import org.apache.hadoop.yarn.api.protocolrecords.MoveApplicationAcrossQueuesRequest;
import org.apache.hadoop.yarn.api.protocolrecords.UpdateApplicationPriorityRequest;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ContainerExitStatus;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.api.records.QueueInfo;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMAppState;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.attempt.RMAppAttemptState;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.AppAddedSchedulerEvent;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.AppAttemptAddedSchedulerEvent;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.AppAttemptRemovedSchedulerEvent;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.AppRemovedSchedulerEvent;
import org.heddle.scheduler.yarn.ClusterInvariants;
import org.heddle.scheduler.yarn.RmFixture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What administrators do: look, move, prioritise, kill. */
class AdministrationTest {
    private static final String A = "127.1.0.1";
    private static final String TREE = "<heddle-scheduler version=\"1\"><queue name=\"root\">"
            + "<queue name=\"a\"/><queue name=\"b\"/>"
            + "<queue name=\"tight\"><max-resources><resource name=\"memory-mb\">2000</resource></max-resources></queue>"
            + "<queue name=\"single\"><max-running-apps>1</max-running-apps></queue>"
            + "</queue></heddle-scheduler>";

    @TempDir
    Path directory;

    @Test
    void aMovedApplicationTakesItsUsageMetricsAndAsksAlong() throws Exception {
        try (RmFixture fixture = new RmFixture(directory, TREE)) {
            fixture.node(A, 6_000, 6);
            RmFixture.App app = fixture.managed("alice", "a", 1_000);
            app.ask(9, 1_000, 1);
            fixture.heartbeat();
            app.collect();
            String before = RmFixture.busy(fixture.queue("root.a").getMetrics());
            move(fixture, app, "root.b");
            assertThat(app.app.getQueue()).isEqualTo("root.b");
            assertThat(RmFixture.busy(fixture.queue("root.b").getMetrics())).isEqualTo(before);
            assertThat(RmFixture.busy(fixture.queue("root.a").getMetrics()))
                    .startsWith("allocated 0 MB 0 cores 0 containers, pending 0 MB");
            assertThat(fixture.schedulable("b/alice").usage()).containsEntry("memory-mb", 6_000L);
            assertThat(fixture.schedulable("b/alice").pendingContainers()).isEqualTo(4);
            assertThat(fixture.schedulable("a").children()).isEmpty();
            assertThat(fixture.queue("root.a").masters()).isZero();
            assertThat(fixture.queue("root.b").masters()).isEqualTo(1);
            app.release(app.ids().get(0));
            fixture.heartbeat();
            assertThat(app.collect().containers).as("served in its new queue").hasSize(6);
            app.end();
            fixture.assertNothingLeft();
        }
    }

    @Test
    void aMoveThatCannotBeIsRefusedInOneSentenceAndChangesNothing() throws Exception {
        try (RmFixture fixture = new RmFixture(directory, TREE)) {
            fixture.node(A, 9_000, 9);
            RmFixture.App app = fixture.managed("alice", "a", 1_000);
            app.ask(3, 1_000, 1);
            fixture.heartbeat();
            app.collect();
            fixture.managed("bob", "single", 1_000);
            for (String nowhere : List.of("root.nowhere", "root")) {
                assertThatThrownBy(() -> fixture.scheduler().preValidateMoveApplication(app.id(), nowhere))
                        .hasMessage("Application " + app.id() + " cannot be moved: target queue " + nowhere
                                + " does not exist or is not a leaf queue");
            }
            assertThatThrownBy(() -> move(fixture, app, "root.tight"))
                    .hasStackTraceContaining("queue root.tight would hold more than its max-resources");
            assertThatThrownBy(() -> move(fixture, app, "root.single"))
                    .hasStackTraceContaining("queue root.single runs 1 applications, the most that it may at once");
            assertThat(app.app.getQueue()).isEqualTo("root.a");
            assertThat(fixture.schedulable("a/alice").runningContainers()).isEqualTo(4);
            app.end();
        }
    }

    @Test
    void anApplicationMovesBeforeItsFirstAttemptAndBetweenTwo() throws Exception {
        try (RmFixture fixture = new RmFixture(directory, TREE)) {
            ApplicationId id = ApplicationId.newInstance(1, 1);
            fixture.scheduler().handle(new AppAddedSchedulerEvent(id, "root.a", "alice"));
            assertThat(fixture.scheduler().moveApplication(id, "root.b")).isEqualTo("root.b");
            ApplicationAttemptId attempt = ApplicationAttemptId.newInstance(id, 1);
            fixture.scheduler().handle(new AppAttemptAddedSchedulerEvent(attempt, false));
            assertThat(fixture.queue("root.b").running()).isEqualTo(1);
            fixture.scheduler().handle(new AppAttemptRemovedSchedulerEvent(attempt, RMAppAttemptState.FAILED, true));
            fixture.scheduler().moveApplication(id, "root.a");
            assertThat(fixture.queue("root.a").running()).isEqualTo(1);
            fixture.scheduler()
                    .handle(new AppAttemptAddedSchedulerEvent(ApplicationAttemptId.newInstance(id, 2), true));
            assertThat(RmFixture.busy(fixture.queue("root.a").getMetrics()))
                    .endsWith("applications 1 pending 0 running");
            ClusterInvariants.balance(fixture.shell());
            fixture.scheduler()
                    .handle(new AppAttemptRemovedSchedulerEvent(
                            ApplicationAttemptId.newInstance(id, 2), RMAppAttemptState.FAILED, false));
            fixture.scheduler().handle(new AppRemovedSchedulerEvent(id, RMAppState.FAILED));
            fixture.assertNothingLeft();
        }
    }

    @Test
    void aWholeQueueIsMovedOrKilled() throws Exception {
        try (RmFixture fixture = new RmFixture(directory, TREE)) {
            fixture.node(A, 9_000, 9);
            RmFixture.App one = fixture.managed("alice", "a", 1_000);
            RmFixture.App two = fixture.managed("bob", "a", 1_000);
            assertThat(fixture.scheduler().getAppsInQueue("root.a")).containsExactly(one.attempt(), two.attempt());
            assertThat(fixture.scheduler().getAppsInQueue("root")).hasSize(2);
            assertThat(fixture.scheduler().getAppsInQueue("nowhere")).isNull();
            fixture.scheduler().moveAllApps("root.a", "root.b");
            fixture.rm.drainEvents();
            assertThat(fixture.scheduler().getAppsInQueue("root.b")).hasSize(2);
            fixture.scheduler().killAllAppsInQueue("root.b");
            fixture.rm.waitForState(one.id(), RMAppState.KILLED);
            fixture.rm.waitForState(two.id(), RMAppState.KILLED);
            fixture.rm.waitForAppRemovedFromScheduler(one.id());
            fixture.rm.waitForAppRemovedFromScheduler(two.id());
            fixture.assertNothingLeft();
        }
    }

    @Test
    void queuesAreDescribed() throws Exception {
        try (RmFixture fixture = new RmFixture(directory, TREE)) {
            fixture.node(A, 9_000, 9);
            RmFixture.App app = fixture.managed("alice", "a", 1_000);
            QueueInfo root = fixture.rm
                    .getClientRMService()
                    .getQueueInfo(GetQueueInfoRequest.newInstance("root", true, true, true))
                    .getQueueInfo();
            assertThat(root.getChildQueues())
                    .extracting(QueueInfo::getQueueName)
                    .containsExactly("root.a", "root.b", "root.tight", "root.single");
            assertThat(root.getApplications()).hasSize(1);
            assertThat(root.getCapacity()).isEqualTo(1);
            assertThat(root.getChildQueues())
                    .as("parts by weight, whoever is busy")
                    .extracting(QueueInfo::getCapacity)
                    .containsOnly(0.25f);
            assertThat(app.app
                            .createAndGetApplicationReport("alice", true)
                            .getApplicationResourceUsageReport()
                            .getQueueUsagePercentage())
                    .as("1,000 of a quarter of 9,000")
                    .isCloseTo(44.4f, within(0.1f));
            QueueInfo a = fixture.scheduler().getQueueInfo("a", false, false);
            assertThat(a.getQueueStatistics().getAllocatedMemoryMB()).isEqualTo(1_000);
            assertThat(a.getQueueStatistics().getNumAppsRunning()).isEqualTo(1);
            assertThatThrownBy(() -> fixture.scheduler().getQueueInfo("nowhere", false, false))
                    .hasMessage("Unknown queue: nowhere");
            app.end();
        }
    }

    @Test
    void theHigherPriorityAmongAUsersApplicationsIsServedFirstAndMayChange() throws Exception {
        try (RmFixture fixture =
                new RmFixture(directory, RmFixture.atHeartbeats(TREE), "yarn.cluster.max-application-priority", "10")) {
            fixture.node(A, 2_000, 2);
            RmFixture.App first = fixture.unmanaged("alice", "a");
            RmFixture.App second = fixture.unmanaged("alice", "a");
            first.ask(5, 1_000, 1);
            second.ask(5, 1_000, 1);
            prioritise(fixture, second, 99);
            assertThat(second.app.getApplicationPriority())
                    .as("the cluster's highest")
                    .isEqualTo(Priority.newInstance(10));
            fixture.heartbeat();
            assertThat(second.collect().containers).hasSize(2);
            assertThat(first.collect().containers).isEmpty();
            prioritise(fixture, second, 0);
            prioritise(fixture, first, 5);
            second.release(second.ids().toArray(new org.apache.hadoop.yarn.api.records.ContainerId[0]));
            fixture.heartbeat();
            assertThat(first.collect().containers).hasSize(2);
        }
    }

    @Test
    void aKilledContainerCountsAsPreemptedAndOneNotYetCollectedIsAskedForAgain() throws Exception {
        try (RmFixture fixture = new RmFixture(directory, RmFixture.atHeartbeats(TREE))) {
            fixture.node(A, 2_000, 2);
            RmFixture.App app = fixture.unmanaged("alice", "a").ask(2, 1_000, 1);
            fixture.heartbeat();
            app.collect();
            fixture.scheduler()
                    .killContainer(fixture.scheduler().getRMContainer(app.ids().get(0)));
            fixture.rm.drainEvents();
            assertThat(app.heartbeat(List.of(), List.of()).getCompletedContainersStatuses())
                    .singleElement()
                    .satisfies(status -> assertThat(status.getExitStatus()).isEqualTo(ContainerExitStatus.PREEMPTED));
            app.ask(1, 1_000, 1);
            fixture.heartbeat();
            fixture.scheduler().getApplicationAttempt(app.attempt()).getLiveContainers().stream()
                    .filter(container ->
                            !container.getContainerId().equals(app.ids().get(1)))
                    .toList()
                    .forEach(fixture.scheduler()::killContainer);
            fixture.rm.drainEvents();
            assertThat(fixture.schedulable("a/alice").pendingContainers()).isEqualTo(1);
            fixture.heartbeat();
            assertThat(app.collect().containers).hasSize(3);
            app.end();
            fixture.assertNothingLeft();
        }
    }

    private static void move(RmFixture fixture, RmFixture.App app, String queue) throws Exception {
        fixture.rm
                .getClientRMService()
                .moveApplicationAcrossQueues(MoveApplicationAcrossQueuesRequest.newInstance(app.id(), queue));
        fixture.rm.drainEvents();
    }

    private static void prioritise(RmFixture fixture, RmFixture.App app, int priority) throws Exception {
        fixture.rm
                .getClientRMService()
                .updateApplicationPriority(
                        UpdateApplicationPriorityRequest.newInstance(app.id(), Priority.newInstance(priority)));
    }
}
