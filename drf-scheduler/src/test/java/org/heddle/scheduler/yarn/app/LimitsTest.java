// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.apache.hadoop.yarn.server.resourcemanager.MockAM;
import org.apache.hadoop.yarn.server.resourcemanager.MockRM;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMApp;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMAppState;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.attempt.RMAppAttemptState;
import org.heddle.scheduler.yarn.RmFixture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Limits of what may be held, of how many may run, and of how much may go to masters; and what a heartbeat may bring. */
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
        try (RmFixture bed = new RmFixture(directory, leaf(""))) {
            bed.node(A, 4_000, 4);
            RmFixture.App app = bed.unmanaged("alice", "default").ask(9, 1_000, 1);
            bed.heartbeat(A);
            assertThat(app.collect().containers).hasSize(4);
        }
    }

    @Test
    void maxAssignBoundsWhatOneHeartbeatBrings() throws Exception {
        String spec = leaf("").replace("<queue name=\"root\">", "<max-assign>3</max-assign><queue name=\"root\">");
        try (RmFixture bed = new RmFixture(directory, spec)) {
            bed.node(A, 9_000, 9);
            RmFixture.App app = bed.unmanaged("alice", "default").ask(8, 1_000, 1);
            bed.heartbeat(A);
            assertThat(app.collect().containers).hasSize(3);
            bed.heartbeat(A);
            assertThat(app.collect().containers).hasSize(6);
            bed.heartbeat(A);
            assertThat(app.collect().containers).hasSize(8);
        }
    }

    @Test
    void aNodeStartsOneMasterPerHeartbeat() throws Exception {
        try (RmFixture bed = new RmFixture(directory, leaf(""))) {
            bed.node(A, 9_000, 9);
            bed.node(B, 9_000, 9);
            for (int i = 0; i < 4; i++) {
                RMApp app = bed.submit("user" + i, "default", 1_000);
                bed.rm.waitForState(app.getApplicationId(), RMAppState.ACCEPTED);
                MockRM.waitForAttemptScheduled(app, bed.rm);
            }
            bed.heartbeat(A);
            assertThat(bed.queue("root.default").masters()).isEqualTo(1);
            bed.heartbeat(B);
            assertThat(bed.queue("root.default").masters()).isEqualTo(2);
            bed.heartbeat(A);
            bed.heartbeat(A);
            assertThat(bed.queue("root.default").masters()).isEqualTo(4);
        }
    }

    @Test
    void aQueueAndItsUsersStayWithinTheirMaxResources() throws Exception {
        String spec = leaf("<max-resources><resource name=\"memory-mb\">5000</resource></max-resources>"
                + "<max-resources-per-user><resource name=\"vcores\">3</resource></max-resources-per-user>");
        try (RmFixture bed = new RmFixture(directory, spec)) {
            bed.node(A, 20_000, 20);
            RmFixture.App alice = bed.unmanaged("alice", "default").ask(9, 1_000, 1);
            bed.heartbeat();
            bed.heartbeat();
            assertThat(alice.collect().containers).as("three cores").hasSize(3);
            RmFixture.App bob = bed.unmanaged("bob", "default").ask(9, 1_000, 1);
            bed.heartbeat();
            bed.heartbeat();
            assertThat(bob.collect().containers).as("5000 MB together").hasSize(2);
            alice.release(alice.ids().get(0));
            bed.heartbeat();
            assertThat(alice.collect().containers.size()
                            + bob.collect().containers.size())
                    .as("one more between them")
                    .isEqualTo(6);
            alice.end();
            bob.end();
            bed.assertNothingLeft();
        }
    }

    @Test
    void aLimitInPercentGrowsWithTheCluster() throws Exception {
        String spec = leaf("<max-resources><resource name=\"memory-mb\">50%</resource></max-resources>"
                + "<max-resources-per-user><resource name=\"memory-mb\">25%</resource></max-resources-per-user>");
        try (RmFixture bed = new RmFixture(directory, spec)) {
            bed.node(A, 4_000, 9);
            RmFixture.App alice = bed.unmanaged("alice", "default").ask(20, 1_000, 1);
            RmFixture.App bob = bed.unmanaged("bob", "default").ask(20, 1_000, 1);
            RmFixture.App eve = bed.unmanaged("eve", "default").ask(20, 1_000, 1);
            bed.heartbeat();
            assertThat(List.of(
                            alice.collect().containers.size(),
                            bob.collect().containers.size(),
                            eve.collect().containers.size()))
                    .containsExactlyInAnyOrder(1, 1, 0);
            bed.node(B, 4_000, 9);
            bed.heartbeat();
            bed.heartbeat();
            assertThat(bed.schedulable("default").usage()).containsEntry("memory-mb", 4_000L);
            assertThat(bed.schedulable("default").limit()).containsEntry("memory-mb", 4_000L);
            assertThat(bed.schedulable("default/alice").limit()).containsEntry("memory-mb", 2_000L);
            assertThat(bed.schedulable("default/alice").usage().get("memory-mb"))
                    .isLessThanOrEqualTo(2_000L);
        }
    }

    @Test
    void whoIsOverTheNumberOfRunningApplicationsWaitsAndIsTold() throws Exception {
        try (RmFixture bed = new RmFixture(directory, leaf("<max-running-apps>1</max-running-apps>"))) {
            bed.node(A, 9_000, 9);
            RmFixture.App first = bed.managed("alice", "default", 1_000);
            RMApp second = bed.submit("bob", "default", 1_000);
            RMApp third = bed.submit("bob", "default", 1_000);
            MockRM.waitForAttemptScheduled(second, bed.rm);
            MockRM.waitForAttemptScheduled(third, bed.rm);
            bed.heartbeat();
            assertThat(second.getCurrentAppAttempt().getMasterContainer()).isNull();
            assertThat(second.getCurrentAppAttempt().getDiagnostics())
                    .contains("queue root.default runs 1 applications, the most that it may at once");
            assertThat(bed.schedulable("default").pendingContainers()).isZero();

            first.end();
            MockAM am = MockRM.launchAndRegisterAM(second, bed.rm, bed.node(A));
            bed.heartbeat();
            assertThat(third.getCurrentAppAttempt().getMasterContainer())
                    .as("one at a time, in order of arrival")
                    .isNull();
            bed.new App(second, am).end();
            bed.new App(third, MockRM.launchAndRegisterAM(third, bed.rm, bed.node(A))).end();
            bed.assertNothingLeft();
        }
    }

    @Test
    void theSameForEachUser() throws Exception {
        try (RmFixture bed =
                new RmFixture(directory, leaf("<max-running-apps-per-user>1</max-running-apps-per-user>"))) {
            bed.node(A, 9_000, 9);
            RmFixture.App first = bed.managed("alice", "default", 1_000);
            RMApp second = bed.submit("alice", "default", 1_000);
            RmFixture.App bobs = bed.managed("bob", "default", 1_000);
            bed.heartbeat();
            assertThat(second.getCurrentAppAttempt().getMasterContainer()).isNull();
            bobs.end();
            bed.heartbeat();
            assertThat(second.getCurrentAppAttempt().getMasterContainer()).isNull();
            bed.rm.killApp(first.id());
            bed.rm.waitForAppRemovedFromScheduler(first.id());
            bed.heartbeat();
            bed.rm.waitForState(second.getCurrentAppAttempt().getAppAttemptId(), RMAppAttemptState.ALLOCATED);
        }
    }

    @Test
    void aLimitOfTheWholeTreeAdmitsFromAnyLeaf() throws Exception {
        String spec = "<heddle-scheduler version=\"1\"><queue name=\"root\"><max-running-apps>1</max-running-apps>"
                + "<queue name=\"default\"/><queue name=\"other\"/></queue></heddle-scheduler>";
        try (RmFixture bed = new RmFixture(directory, spec)) {
            bed.node(A, 9_000, 9);
            RmFixture.App first = bed.managed("alice", "default", 1_000);
            RMApp second = bed.submit("bob", "other", 1_000);
            MockRM.waitForAttemptScheduled(second, bed.rm);
            bed.heartbeat();
            assertThat(second.getCurrentAppAttempt().getMasterContainer()).isNull();
            first.end();
            bed.heartbeat();
            bed.rm.waitForState(second.getCurrentAppAttempt().getAppAttemptId(), RMAppAttemptState.ALLOCATED);
        }
    }

    @Test
    void mastersTakeNoMoreThanTheirPartOfAQueue() throws Exception {
        try (RmFixture bed = new RmFixture(directory, leaf("<max-am-share>25%</max-am-share>"))) {
            bed.node(A, 8_000, 8);
            RmFixture.App first = bed.managed("alice", "default", 1_000);
            RmFixture.App second = bed.managed("bob", "default", 1_000);
            RMApp third = bed.submit("eve", "default", 1_000);
            MockRM.waitForAttemptScheduled(third, bed.rm);
            bed.heartbeat();
            assertThat(third.getCurrentAppAttempt().getMasterContainer()).isNull();
            assertThat(third.getCurrentAppAttempt().getDiagnostics())
                    .contains("waiting for an ApplicationMaster of queue root.default to end");
            first.ask(2, 1_000, 1);
            bed.heartbeat();
            assertThat(first.collect().containers).as("tasks are not masters").hasSize(2);
            second.end();
            bed.heartbeat();
            bed.rm.waitForState(third.getCurrentAppAttempt().getAppAttemptId(), RMAppAttemptState.ALLOCATED);
        }
    }

    @Test
    void theFirstMasterOfAQueueIsAlwaysAdmitted() throws Exception {
        try (RmFixture bed = new RmFixture(directory, leaf("<max-am-share>1%</max-am-share>"))) {
            bed.node(A, 8_000, 8);
            bed.managed("alice", "default", 4_000).end();
            bed.assertNothingLeft();
        }
    }
}
