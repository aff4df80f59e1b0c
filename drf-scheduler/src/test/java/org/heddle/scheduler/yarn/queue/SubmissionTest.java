// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.yarn.api.protocolrecords.GetQueueUserAclsInfoRequest;
import org.apache.hadoop.yarn.api.protocolrecords.KillApplicationRequest;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.api.records.QueueACL;
import org.apache.hadoop.yarn.api.records.QueueUserACLInfo;
import org.apache.hadoop.yarn.security.YarnAuthorizationProvider;
import org.apache.hadoop.yarn.server.resourcemanager.placement.ApplicationPlacementContext;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMApp;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMAppState;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.AppAddedSchedulerEvent;
import org.heddle.scheduler.yarn.RmFixture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Who may submit where, and what those are told who may not. */
class SubmissionTest {
    private static final String TREE = "<heddle-scheduler version=\"1\"><queue name=\"root\">"
            + "<submit/><administer users=\"boss\"/>"
            + "<queue name=\"open\"><submit users=\"*\"/></queue>"
            + "<queue name=\"lab\"><submit users=\"alice\"/><administer groups=\"staff\"/>"
            + "<queue name=\"deep\"><submit users=\"bob\"/></queue><queue name=\"other\"/></queue>"
            + "</queue></heddle-scheduler>";
    private static final String[] ACLS = {"yarn.acl.enable", "true", "yarn.admin.acl", "yarnadmin"};

    @TempDir
    Path directory;

    @BeforeEach
    @AfterEach
    void forgetAuthorizer() {
        YarnAuthorizationProvider.destroy(); // one for the whole process, with the first configuration that it saw
    }

    @Test
    void aQueueThatIsNotThereOrIsNoLeafIsRefusedInOneSentence() throws Exception {
        try (RmFixture fixture = new RmFixture(directory, TREE)) {
            assertThat(failure(fixture, "nowhere"))
                    .endsWith("is refused: it was submitted by user alice to unknown queue: nowhere; name one of"
                            + " [root.lab.deep, root.lab.other, root.open]");
            assertThat(failure(fixture, "root.lab"))
                    .endsWith("is refused: queue root.lab has queues below it and takes no applications; name one of"
                            + " those");
            assertThatThrownBy(() -> fixture.submit("alice", "default", 100))
                    .rootCause()
                    .hasMessageContaining("of user alice is refused");
            RMApp byShortName = fixture.submit("alice", "deep", 100);
            assertThat(byShortName.getQueue()).isEqualTo("root.lab.deep");
            fixture.rm.drainEvents();
            assertThat(fixture.scheduler().getSchedulerApplications()).hasSize(1);
        }
    }

    /** What the application's report says once the scheduler has failed it. */
    private static String failure(RmFixture fixture, String queue) throws Exception {
        RMApp app = fixture.submit("alice", queue, 100);
        fixture.rm.waitForState(app.getApplicationId(), RMAppState.FAILED);
        return app.getDiagnostics().toString();
    }

    @Test
    void listsDecideWhoMaySubmitAndWhoeverIsAdmittedAboveIsAdmittedBelow() throws Exception {
        try (RmFixture fixture = new RmFixture(directory, TREE, ACLS)) {
            Map<String, List<String>> mayUse = new TreeMap<>();
            for (String user : List.of("alice", "bob", "boss", "eve", "yarnadmin")) {
                mayUse.put(
                        user,
                        List.of("open", "deep", "other").stream()
                                .filter(queue -> accepted(fixture, user, queue))
                                .toList());
            }
            assertThat(mayUse)
                    .containsEntry("alice", List.of("open", "deep", "other"))
                    .containsEntry("bob", List.of("open", "deep"))
                    .containsEntry("boss", List.of("open", "deep", "other"))
                    .containsEntry("eve", List.of("open"))
                    .containsEntry("yarnadmin", List.of("open", "deep", "other"));
            assertThatThrownBy(() -> fixture.submit("eve", "deep", 100))
                    .rootCause()
                    .hasMessageMatching("User eve does not have permission to submit application_\\S+ to queue"
                            + " root.lab.deep: ask for a place in its <submit> list");
        }
    }

    @Test
    void whoComesPastTheClientServiceMeetsTheSameQuestion() throws Exception {
        try (RmFixture fixture = new RmFixture(directory, TREE, ACLS)) {
            RMApp app = fixture.submit("eve", "open", 100);
            ApplicationId id = ApplicationId.newInstance(app.getApplicationId().getClusterTimestamp(), 4_711);
            fixture.scheduler()
                    .handle(new AppAddedSchedulerEvent(
                            id,
                            "root.lab.deep",
                            "eve",
                            false,
                            null,
                            Priority.newInstance(0),
                            new ApplicationPlacementContext("root.lab.deep")));
            fixture.rm.drainEvents();
            assertThat(fixture.scheduler().getSchedulerApplications()).containsOnlyKeys(app.getApplicationId());
        }
    }

    @Test
    void onlyAdministratorsOfAQueueMayKillInIt() throws Exception {
        try (RmFixture fixture = new RmFixture(directory, TREE, ACLS)) {
            RMApp app = fixture.submit("bob", "deep", 100);
            fixture.rm.waitForState(app.getApplicationId(), RMAppState.ACCEPTED);
            assertThat(may(fixture, "alice", QueueACL.ADMINISTER_QUEUE, "root.lab.deep"))
                    .isFalse();
            assertThat(may(fixture, "boss", QueueACL.ADMINISTER_QUEUE, "root.lab.deep"))
                    .isTrue();
            assertThatThrownBy(() -> kill(fixture, "alice", app)).hasStackTraceContaining("cannot perform operation");
            kill(fixture, "boss", app);
            fixture.rm.waitForState(app.getApplicationId(), RMAppState.KILLED);
        }
    }

    @Test
    void anAdministratorListOfEveryoneDoesNotOpenTheQueues() throws Exception {
        try (RmFixture fixture = new RmFixture(directory, TREE, "yarn.acl.enable", "true", "yarn.admin.acl", "*")) {
            assertThat(may(fixture, "alice", QueueACL.ADMINISTER_QUEUE, "root.lab.deep"))
                    .isFalse();
            assertThat(may(fixture, "boss", QueueACL.ADMINISTER_QUEUE, "root.lab.deep"))
                    .isTrue();
        }
    }

    @Test
    void groupsCountLikeUsers() throws Exception {
        try (RmFixture fixture = new RmFixture(directory, TREE, ACLS)) {
            UserGroupInformation clerk = UserGroupInformation.createUserForTesting("clerk", new String[] {"staff"});
            assertThat(fixture.scheduler().checkAccess(clerk, QueueACL.ADMINISTER_QUEUE, "root.lab.other"))
                    .isTrue();
            assertThat(fixture.scheduler().checkAccess(clerk, QueueACL.ADMINISTER_QUEUE, "root.open"))
                    .isFalse();
            assertThat(fixture.scheduler().checkAccess(clerk, QueueACL.ADMINISTER_QUEUE, "root.nowhere"))
                    .isFalse();
        }
    }

    @Test
    void aUserIsToldWhatItMayDoWhere() throws Exception {
        try (RmFixture fixture = new RmFixture(directory, TREE, ACLS)) {
            List<QueueUserACLInfo> told = new ArrayList<>();
            UserGroupInformation.createUserForTesting("alice", new String[0])
                    .doAs((java.security.PrivilegedExceptionAction<Void>) () -> {
                        told.addAll(fixture.rm
                                .getClientRMService()
                                .getQueueUserAcls(GetQueueUserAclsInfoRequest.newInstance())
                                .getUserAclsInfoList());
                        return null;
                    });
            Map<String, List<QueueACL>> byQueue = new TreeMap<>();
            told.forEach(info -> byQueue.put(info.getQueueName(), info.getUserAcls()));
            assertThat(byQueue)
                    .containsEntry("root", List.of())
                    .containsEntry("root.open", List.of(QueueACL.SUBMIT_APPLICATIONS))
                    .containsEntry("root.lab", List.of(QueueACL.SUBMIT_APPLICATIONS))
                    .containsEntry("root.lab.deep", List.of(QueueACL.SUBMIT_APPLICATIONS))
                    .hasSize(5);
        }
    }

    private static boolean accepted(RmFixture fixture, String user, String queue) {
        try {
            return !fixture.submit(user, queue, 100).getQueue().isEmpty();
        } catch (Exception e) {
            assertThat(e).rootCause().hasMessageContaining("does not have permission");
            return false;
        }
    }

    private static boolean may(RmFixture fixture, String user, QueueACL acl, String queue) {
        return fixture.scheduler().checkAccess(UserGroupInformation.createRemoteUser(user), acl, queue);
    }

    private static void kill(RmFixture fixture, String user, RMApp app) throws Exception {
        UserGroupInformation.createUserForTesting(user, new String[0]).doAs((java.security.PrivilegedExceptionAction<
                        Void>)
                () -> {
                    fixture.rm
                            .getClientRMService()
                            .forceKillApplication(KillApplicationRequest.newInstance(app.getApplicationId()));
                    return null;
                });
        fixture.rm.drainEvents();
    }
}
