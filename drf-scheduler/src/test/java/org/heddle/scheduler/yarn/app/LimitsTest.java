// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.thirdparty.com.google.common.util.concurrent.SettableFuture;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.exceptions.YarnException;
import org.apache.hadoop.yarn.server.resourcemanager.MockAM;
import org.apache.hadoop.yarn.server.resourcemanager.MockRM;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMApp;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMAppState;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.attempt.RMAppAttemptState;
import org.heddle.scheduler.yarn.RmFixture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Limits of what may be held, of how many may run, and of how much may go to masters; and what a heartbeat may bring.
 */
@Tag("newer-line")
class LimitsTest {
    private static final String A = "127.1.0.1";
    private static final String B = "127.1.0.2";

    @TempDir
    Path directory;

    private static String leaf(String inside) {
        return "<heddle-scheduler version=\"1\"><queue name=\"root\"><queue name=\"default\">" + inside
                + "</queue><queue name=\"other\"/></queue></heddle-scheduler>";
    }

    @Test
    void oneHeartbeatFillsANode() throws Exception {
        try (RmFixture fixture = new RmFixture(directory, leaf(""))) {
            fixture.node(A, 4_000, 4);
            RmFixture.App app = fixture.unmanaged("alice", "default").ask(9, 1_000, 1);
            fixture.heartbeat(A);
            assertThat(app.collect().containers).hasSize(4);
        }
    }

    @Test
    void maxAssignBoundsWhatOneHeartbeatBrings() throws Exception {
        String spec = leaf("").replace("<queue name=\"root\">", "<max-assign>3</max-assign><queue name=\"root\">");
        try (RmFixture fixture = new RmFixture(directory, RmFixture.atHeartbeats(spec))) {
            fixture.node(A, 9_000, 9);
            RmFixture.App app = fixture.unmanaged("alice", "default").ask(8, 1_000, 1);
            fixture.heartbeat(A);
            assertThat(app.collect().containers).hasSize(3);
            fixture.heartbeat(A);
            assertThat(app.collect().containers).hasSize(6);
            fixture.heartbeat(A);
            assertThat(app.collect().containers).hasSize(8);
        }
    }

    @Test
    void aNodeStartsOneMasterPerHeartbeat() throws Exception {
        try (RmFixture fixture = new RmFixture(directory, RmFixture.atHeartbeats(leaf("")))) {
            fixture.node(A, 9_000, 9);
            fixture.node(B, 9_000, 9);
            for (int i = 0; i < 4; i++) {
                RMApp app = fixture.submit("user" + i, "default", 1_000);
                fixture.rm.waitForState(app.getApplicationId(), RMAppState.ACCEPTED);
                MockRM.waitForAttemptScheduled(app, fixture.rm);
            }
            fixture.heartbeat(A);
            assertThat(fixture.queue("root.default").masters()).isEqualTo(1);
            fixture.heartbeat(B);
            assertThat(fixture.queue("root.default").masters()).isEqualTo(2);
            fixture.heartbeat(A);
            fixture.heartbeat(A);
            assertThat(fixture.queue("root.default").masters()).isEqualTo(4);
        }
    }

    @Test
    void aQueueAndItsUsersStayWithinTheirMaxResources() throws Exception {
        String spec = leaf("<max-resources><resource name=\"memory-mb\">5000</resource></max-resources>"
                + "<max-resources-per-user><resource name=\"vcores\">3</resource></max-resources-per-user>");
        try (RmFixture fixture = new RmFixture(directory, spec)) {
            fixture.node(A, 20_000, 20);
            RmFixture.App alice = fixture.unmanaged("alice", "default").ask(9, 1_000, 1);
            fixture.heartbeat();
            fixture.heartbeat();
            assertThat(alice.collect().containers).as("three cores").hasSize(3);
            RmFixture.App bob = fixture.unmanaged("bob", "default").ask(9, 1_000, 1);
            fixture.heartbeat();
            fixture.heartbeat();
            assertThat(bob.collect().containers).as("5000 MB together").hasSize(2);
            alice.release(alice.ids().get(0));
            fixture.heartbeat();
            assertThat(alice.collect().containers.size()
                            + bob.collect().containers.size())
                    .as("one more between them")
                    .isEqualTo(6);
            alice.end();
            bob.end();
            fixture.assertNothingLeft();
        }
    }

    @Test
    void anApplicationStaysWithinItsMaxResources() throws Exception {
        String limited = "<max-resources-per-application><resource name=\"memory-mb\">25%</resource>"
                + "</max-resources-per-application>";
        for (String settings : List.of(limited, limited + "<divide-by>applications</divide-by>")) {
            try (RmFixture fixture = new RmFixture(directory, leaf(settings))) {
                fixture.node(A, 8_000, 20);
                RmFixture.App first = fixture.unmanaged("alice", "default").ask(9, 1_000, 1);
                RmFixture.App second = fixture.unmanaged("alice", "default").ask(9, 1_000, 1);
                fixture.heartbeat();
                fixture.heartbeat();
                assertThat(first.collect().containers).as("2000 MB each").hasSize(2);
                assertThat(second.collect().containers).hasSize(2);
                fixture.node(B, 8_000, 20);
                fixture.heartbeat();
                fixture.heartbeat();
                assertThat(first.collect().containers)
                        .as("4000 MB each of the larger cluster")
                        .hasSize(4);
                assertThat(second.collect().containers).hasSize(4);
                fixture.write(leaf(settings.replace(limited, "")));
                fixture.scheduler().reinitialize(fixture.conf, fixture.rm.getRMContext());
                fixture.heartbeat();
                fixture.heartbeat();
                assertThat(first.collect().containers.size()
                                + second.collect().containers.size())
                        .as("16000 MB without the limit")
                        .isEqualTo(16);
                first.end();
                second.end();
                fixture.assertNothingLeft();
            }
        }
    }

    @Test
    void noApplicationMovesToAQueueWhereItHoldsTooMuch() throws Exception {
        String spec = leaf("").replace(
                        "<queue name=\"root\">",
                        "<queue name=\"root\"><queue name=\"small\"><max-resources-per-application>"
                                + "<resource name=\"vcores\">2</resource></max-resources-per-application></queue>");
        try (RmFixture fixture = new RmFixture(directory, spec)) {
            fixture.node(A, 8_000, 8);
            RmFixture.App app = fixture.unmanaged("alice", "default").ask(3, 1_000, 1);
            fixture.heartbeat();
            assertThat(app.collect().containers).hasSize(3);
            assertThatThrownBy(() -> fixture.scheduler().moveApplication(app.id(), "small"))
                    .hasMessageContaining("it holds more than the max-resources-per-application there");
            app.release(app.ids().get(0));
            fixture.scheduler().moveApplication(app.id(), "small");
            app.ask(1, 1_000, 1);
            fixture.heartbeat();
            fixture.heartbeat();
            assertThat(app.collect().containers).as("of three, one released").hasSize(3);
            assertThat(fixture.schedulable("small").usage()).containsEntry("vcores", 2L);
        }
    }

    @Test
    void usersGiveThePrioritiesThatTheQueueAllowsThem() throws Exception {
        String spec = leaf("<max-application-priority users=\"alice\" default=\"2\">5</max-application-priority>"
                + "<max-application-priority groups=\"nobody-is-in-it\">7</max-application-priority>");
        try (RmFixture fixture =
                new RmFixture(directory, spec, YarnConfiguration.MAX_CLUSTER_LEVEL_APPLICATION_PRIORITY, "10")) {
            UserGroupInformation alice = UserGroupInformation.createRemoteUser("alice");
            UserGroupInformation bob = UserGroupInformation.createRemoteUser("bob");
            fixture.node(A, 8_000, 8);
            RmFixture.App app = fixture.unmanaged("alice", "default");
            assertThat(priority(fixture, null, alice, app)).isEqualTo(2);
            assertThat(priority(fixture, 5, alice, app)).isEqualTo(5);
            assertThat(priority(fixture, null, bob, app)).isZero();
            assertThat(priority(fixture, -1, alice, app))
                    .as("what REST makes of a submission without a priority")
                    .isEqualTo(2);
            assertThat(priority(fixture, -1, bob, app)).isZero();
            assertThatThrownBy(() -> priority(fixture, 6, alice, app))
                    .isInstanceOf(YarnException.class)
                    .hasMessage("Priority 6 is refused: user alice may give applications in queue default a priority of"
                            + " at most 5");
            assertThatThrownBy(() -> priority(fixture, 1, bob, app)).hasMessageContaining("of at most 0");
            assertThatThrownBy(() -> fixture.scheduler()
                            .updateApplicationPriority(
                                    Priority.newInstance(6), app.id(), SettableFuture.create(), alice))
                    .hasMessageContaining("of at most 5");
            assertThat(fixture.scheduler()
                            .updateApplicationPriority(
                                    Priority.newInstance(4), app.id(), SettableFuture.create(), alice))
                    .isEqualTo(Priority.newInstance(4));
        }
    }

    private static int priority(
            RmFixture fixture, @Nullable Integer wanted, UserGroupInformation user, RmFixture.App app)
            throws YarnException {
        Priority asked = wanted == null ? null : Priority.newInstance(wanted);
        return fixture.scheduler()
                .checkAndGetApplicationPriority(asked, user, "default", app.id())
                .getPriority();
    }

    @Test
    void aLimitInPercentGrowsWithTheCluster() throws Exception {
        String spec = leaf("<max-resources><resource name=\"memory-mb\">50%</resource></max-resources>"
                + "<max-resources-per-user><resource name=\"memory-mb\">25%</resource></max-resources-per-user>");
        try (RmFixture fixture = new RmFixture(directory, spec)) {
            fixture.node(A, 4_000, 9);
            RmFixture.App alice = fixture.unmanaged("alice", "default").ask(20, 1_000, 1);
            RmFixture.App bob = fixture.unmanaged("bob", "default").ask(20, 1_000, 1);
            RmFixture.App eve = fixture.unmanaged("eve", "default").ask(20, 1_000, 1);
            fixture.heartbeat();
            assertThat(List.of(
                            alice.collect().containers.size(),
                            bob.collect().containers.size(),
                            eve.collect().containers.size()))
                    .containsExactlyInAnyOrder(1, 1, 0);
            fixture.node(B, 4_000, 9);
            fixture.heartbeat();
            fixture.heartbeat();
            assertThat(fixture.schedulable("default").usage()).containsEntry("memory-mb", 4_000L);
            assertThat(fixture.schedulable("default").limit()).containsEntry("memory-mb", 4_000L);
            assertThat(fixture.schedulable("default/alice").limit()).containsEntry("memory-mb", 2_000L);
            assertThat(fixture.schedulable("default/alice").usage().get("memory-mb"))
                    .isLessThanOrEqualTo(2_000L);
        }
    }

    @Test
    void whoIsOverTheNumberOfRunningApplicationsWaitsAndIsTold() throws Exception {
        try (RmFixture fixture = new RmFixture(directory, leaf("<max-running-apps>1</max-running-apps>"))) {
            fixture.node(A, 9_000, 9);
            RmFixture.App first = fixture.managed("alice", "default", 1_000);
            RMApp second = fixture.submit("bob", "default", 1_000);
            RMApp third = fixture.submit("bob", "default", 1_000);
            MockRM.waitForAttemptScheduled(second, fixture.rm);
            MockRM.waitForAttemptScheduled(third, fixture.rm);
            fixture.heartbeat();
            assertThat(second.getCurrentAppAttempt().getMasterContainer()).isNull();
            assertThat(second.getCurrentAppAttempt().getDiagnostics())
                    .contains("queue root.default runs 1 applications, the most that it may at once");
            assertThat(fixture.schedulable("default").pendingContainers()).isZero();

            first.end();
            MockAM am = fixture.launchAndRegister(second, fixture.node(A));
            fixture.heartbeat();
            assertThat(third.getCurrentAppAttempt().getMasterContainer())
                    .as("one at a time, in order of arrival")
                    .isNull();
            fixture.new App(second, am).end();
            fixture.new App(third, fixture.launchAndRegister(third, fixture.node(A))).end();
            fixture.assertNothingLeft();
        }
    }

    @Test
    void theSameForEachUser() throws Exception {
        try (RmFixture fixture =
                new RmFixture(directory, leaf("<max-running-apps-per-user>1</max-running-apps-per-user>"))) {
            fixture.node(A, 9_000, 9);
            RmFixture.App first = fixture.managed("alice", "default", 1_000);
            RMApp second = fixture.submit("alice", "default", 1_000);
            RmFixture.App bobs = fixture.managed("bob", "default", 1_000);
            fixture.heartbeat();
            assertThat(second.getCurrentAppAttempt().getMasterContainer()).isNull();
            bobs.end();
            fixture.heartbeat();
            assertThat(second.getCurrentAppAttempt().getMasterContainer()).isNull();
            fixture.rm.killApp(first.id());
            fixture.rm.waitForAppRemovedFromScheduler(first.id());
            fixture.heartbeat();
            fixture.rm.waitForState(second.getCurrentAppAttempt().getAppAttemptId(), RMAppAttemptState.ALLOCATED);
        }
    }

    @Test
    void aLimitOfTheWholeTreeAdmitsFromAnyLeaf() throws Exception {
        String spec = "<heddle-scheduler version=\"1\"><queue name=\"root\"><max-running-apps>1</max-running-apps>"
                + "<queue name=\"default\"/><queue name=\"other\"/></queue></heddle-scheduler>";
        try (RmFixture fixture = new RmFixture(directory, spec)) {
            fixture.node(A, 9_000, 9);
            RmFixture.App first = fixture.managed("alice", "default", 1_000);
            RMApp second = fixture.submit("bob", "other", 1_000);
            MockRM.waitForAttemptScheduled(second, fixture.rm);
            fixture.heartbeat();
            assertThat(second.getCurrentAppAttempt().getMasterContainer()).isNull();
            first.end();
            fixture.heartbeat();
            fixture.rm.waitForState(second.getCurrentAppAttempt().getAppAttemptId(), RMAppAttemptState.ALLOCATED);
        }
    }

    @Test
    void mastersTakeNoMoreThanTheirPartOfAQueue() throws Exception {
        try (RmFixture fixture = new RmFixture(directory, leaf("<max-am-share>25%</max-am-share>"))) {
            fixture.node(A, 8_000, 8);
            RmFixture.App first = fixture.managed("alice", "default", 1_000);
            RmFixture.App second = fixture.managed("bob", "default", 1_000);
            RMApp third = fixture.submit("eve", "default", 1_000);
            MockRM.waitForAttemptScheduled(third, fixture.rm);
            fixture.heartbeat();
            assertThat(third.getCurrentAppAttempt().getMasterContainer()).isNull();
            assertThat(third.getCurrentAppAttempt().getDiagnostics())
                    .contains("waiting for an ApplicationMaster of queue root.default to end");
            first.ask(2, 1_000, 1);
            fixture.heartbeat();
            assertThat(first.collect().containers).as("tasks are not masters").hasSize(2);
            second.end();
            fixture.heartbeat();
            fixture.rm.waitForState(third.getCurrentAppAttempt().getAppAttemptId(), RMAppAttemptState.ALLOCATED);
        }
    }

    @Test
    void theFirstMasterOfAQueueIsAlwaysAdmitted() throws Exception {
        try (RmFixture fixture = new RmFixture(directory, leaf("<max-am-share>1%</max-am-share>"))) {
            fixture.node(A, 8_000, 8);
            fixture.managed("alice", "default", 4_000).end();
            fixture.assertNothingLeft();
        }
    }

    /** The default limit is half of the queue; what is idle is not a reason to keep others out. */
    @Test
    void aSmallJobStartsBesideIdleMastersWhileItsQueueHasRoom() throws Exception {
        try (RmFixture fixture = new RmFixture(directory, leaf("<max-am-share>25%</max-am-share>"))) {
            fixture.node(A, 8_000, 8);
            fixture.managed("session1", "default", 1_000);
            fixture.managed("session2", "default", 1_000);
            seconds(fixture, 15);
            RmFixture.App small = fixture.managed("alice", "default", 1_000);
            small.ask(2, 1_000, 1);
            fixture.heartbeat();
            assertThat(small.collect().containers).hasSize(2);
        }
    }

    @Test
    void theLimitOfMastersBindsWhileATaskOfTheirQueueWaits() throws Exception {
        String spec = leaf("<max-am-share>25%</max-am-share>"
                + "<max-resources-per-user><resource name=\"vcores\">3</resource></max-resources-per-user>");
        try (RmFixture fixture = new RmFixture(directory, spec)) {
            fixture.node(A, 8_000, 8);
            RmFixture.App alice = fixture.managed("alice", "default", 1_000);
            fixture.managed("session", "default", 1_000);
            alice.ask(5, 1_000, 1);
            RMApp third = fixture.submit("eve", "default", 1_000);
            MockRM.waitForAttemptScheduled(third, fixture.rm);
            seconds(fixture, 30);
            assertThat(alice.collect().containers).hasSize(2);
            assertThat(third.getCurrentAppAttempt().getMasterContainer()).isNull();
            alice.ask(0, 1_000, 1);
            seconds(fixture, 2);
            fixture.rm.waitForState(third.getCurrentAppAttempt().getAppAttemptId(), RMAppAttemptState.ALLOCATED);
        }
    }

    /** However many come and however long they are idle: all that then ask for a task get it, one after another. */
    @Test
    void idleMastersLeaveRoomForTheTasksOfAll() throws Exception {
        try (RmFixture fixture =
                new RmFixture(directory, RmFixture.atHeartbeats(leaf("<max-am-share>25%</max-am-share>")))) {
            fixture.node(A, 8_000, 8);
            List<RMApp> apps = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                apps.add(fixture.submit("user" + i, "default", 1_000));
                MockRM.waitForAttemptScheduled(apps.get(i), fixture.rm);
            }
            seconds(fixture, 5);
            assertThat(fixture.queue("root.default").masters())
                    .as("none of them has had time to ask")
                    .isEqualTo(2);
            seconds(fixture, 120);
            assertThat(fixture.queue("root.default").masters())
                    .as("half of what the limit leaves stays free: 3 of 8 cores")
                    .isEqualTo(5);
            int ended = 0;
            while (ended < apps.size()) {
                List<RmFixture.App> running = new ArrayList<>();
                for (RMApp app : apps) {
                    if (app.getCurrentAppAttempt().getMasterContainer() != null && !app.isAppFinalStateStored()) {
                        MockAM am = fixture.launchAndRegister(app, fixture.node(A));
                        running.add(fixture.new App(app, am).ask(1, 1_000, 1));
                    }
                }
                assertThat(running).isNotEmpty();
                for (RmFixture.App app : running) {
                    fixture.heartbeat();
                    assertThat(app.collect().containers).hasSize(1);
                    app.end();
                    ended++;
                }
                seconds(fixture, 2);
            }
            fixture.assertNothingLeft();
        }
    }

    @Test
    void inFairSchedulersModeTheLimitOfMastersAlwaysBinds() throws Exception {
        String spec = leaf("<max-am-share>25%</max-am-share>")
                .replace("version=\"1\"", "version=\"1\" compatibility=\"fair-scheduler\"");
        try (RmFixture fixture = new RmFixture(directory, spec)) {
            fixture.node(A, 8_000, 8);
            fixture.managed("session1", "default", 1_000);
            fixture.managed("session2", "default", 1_000);
            RMApp third = fixture.submit("eve", "default", 1_000);
            MockRM.waitForAttemptScheduled(third, fixture.rm);
            seconds(fixture, 60);
            assertThat(third.getCurrentAppAttempt().getMasterContainer()).isNull();
        }
    }

    /** 0.3 of 10 cores: as a float it is a little more, and FairScheduler rounds up. */
    @Test
    void inFairSchedulersModeTheLimitOfMastersIsRoundedAsThere() throws Exception {
        String spec = leaf("<max-am-share>30%</max-am-share>")
                .replace("version=\"1\"", "version=\"1\" compatibility=\"fair-scheduler\"");
        try (RmFixture fixture = new RmFixture(directory, RmFixture.atHeartbeats(spec))) {
            fixture.node(A, 20_000, 10);
            for (int i = 0; i < 6; i++) {
                MockRM.waitForAttemptScheduled(fixture.submit("user" + i, "default", 1_000), fixture.rm);
            }
            seconds(fixture, 10);
            assertThat(fixture.queue("root.default").masters()).isEqualTo(4);
        }
    }

    private static void seconds(RmFixture fixture, int count) throws Exception {
        for (int i = 0; i < count; i++) {
            fixture.heartbeat();
        }
    }
}
