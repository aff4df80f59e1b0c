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
        try (RmFixture bed = new RmFixture(directory, TREE)) {
            assertThat(failure(bed, "nowhere"))
                    .endsWith("is refused: it was submitted by user alice to unknown queue: nowhere; name one of"
                            + " [root.lab.deep, root.lab.other, root.open]");
            assertThat(failure(bed, "root.lab"))
                    .endsWith("is refused: queue root.lab has queues below it and takes no applications; name one of"
                            + " those");
            assertThatThrownBy(() -> bed.submit("alice", "default", 100))
                    .rootCause()
                    .hasMessageContaining("of user alice is refused");
            RMApp byShortName = bed.submit("alice", "deep", 100);
            assertThat(byShortName.getQueue()).isEqualTo("root.lab.deep");
            bed.rm.drainEvents();
            assertThat(bed.scheduler().getSchedulerApplications()).hasSize(1);
        }
    }

    /** What the application's report says once the scheduler has failed it. */
    private static String failure(RmFixture bed, String queue) throws Exception {
        RMApp app = bed.submit("alice", queue, 100);
        bed.rm.waitForState(app.getApplicationId(), RMAppState.FAILED);
        return app.getDiagnostics().toString();
    }

    @Test
    void listsDecideWhoMaySubmitAndWhoeverIsAdmittedAboveIsAdmittedBelow() throws Exception {
        try (RmFixture bed = new RmFixture(directory, TREE, ACLS)) {
            Map<String, List<String>> mayUse = new TreeMap<>();
            for (String user : List.of("alice", "bob", "boss", "eve", "yarnadmin")) {
                mayUse.put(
                        user,
                        List.of("open", "deep", "other").stream()
                                .filter(queue -> accepted(bed, user, queue))
                                .toList());
            }
            assertThat(mayUse)
                    .containsEntry("alice", List.of("open", "deep", "other"))
                    .containsEntry("bob", List.of("open", "deep"))
                    .containsEntry("boss", List.of("open", "deep", "other"))
                    .containsEntry("eve", List.of("open"))
                    .containsEntry("yarnadmin", List.of("open", "deep", "other"));
            assertThatThrownBy(() -> bed.submit("eve", "deep", 100))
                    .rootCause()
                    .hasMessageMatching("User eve does not have permission to submit application_\\S+ to queue"
                            + " root.lab.deep: ask for a place in its <submit> list");
        }
    }

    @Test
    void whoComesPastTheClientServiceMeetsTheSameQuestion() throws Exception {
        try (RmFixture bed = new RmFixture(directory, TREE, ACLS)) {
            RMApp app = bed.submit("eve", "open", 100);
            ApplicationId id = ApplicationId.newInstance(app.getApplicationId().getClusterTimestamp(), 4_711);
            bed.scheduler()
                    .handle(new AppAddedSchedulerEvent(
                            id,
                            "root.lab.deep",
                            "eve",
                            false,
                            null,
                            Priority.newInstance(0),
                            new ApplicationPlacementContext("root.lab.deep")));
            bed.rm.drainEvents();
            assertThat(bed.scheduler().getSchedulerApplications()).containsOnlyKeys(app.getApplicationId());
        }
    }

    @Test
    void onlyAdministratorsOfAQueueMayKillInIt() throws Exception {
        try (RmFixture bed = new RmFixture(directory, TREE, ACLS)) {
            RMApp app = bed.submit("bob", "deep", 100);
            bed.rm.waitForState(app.getApplicationId(), RMAppState.ACCEPTED);
            assertThat(may(bed, "alice", QueueACL.ADMINISTER_QUEUE, "root.lab.deep"))
                    .isFalse();
            assertThat(may(bed, "boss", QueueACL.ADMINISTER_QUEUE, "root.lab.deep"))
                    .isTrue();
            assertThatThrownBy(() -> kill(bed, "alice", app)).hasStackTraceContaining("cannot perform operation");
            kill(bed, "boss", app);
            bed.rm.waitForState(app.getApplicationId(), RMAppState.KILLED);
        }
    }

    @Test
    void anAdministratorListOfEveryoneDoesNotOpenTheQueues() throws Exception {
        try (RmFixture bed = new RmFixture(directory, TREE, "yarn.acl.enable", "true", "yarn.admin.acl", "*")) {
            assertThat(may(bed, "alice", QueueACL.ADMINISTER_QUEUE, "root.lab.deep"))
                    .isFalse();
            assertThat(may(bed, "boss", QueueACL.ADMINISTER_QUEUE, "root.lab.deep"))
                    .isTrue();
        }
    }

    @Test
    void groupsCountLikeUsers() throws Exception {
        try (RmFixture bed = new RmFixture(directory, TREE, ACLS)) {
            UserGroupInformation clerk = UserGroupInformation.createUserForTesting("clerk", new String[] {"staff"});
            assertThat(bed.scheduler().checkAccess(clerk, QueueACL.ADMINISTER_QUEUE, "root.lab.other"))
                    .isTrue();
            assertThat(bed.scheduler().checkAccess(clerk, QueueACL.ADMINISTER_QUEUE, "root.open"))
                    .isFalse();
            assertThat(bed.scheduler().checkAccess(clerk, QueueACL.ADMINISTER_QUEUE, "root.nowhere"))
                    .isFalse();
        }
    }

    @Test
    void aUserIsToldWhatItMayDoWhere() throws Exception {
        try (RmFixture bed = new RmFixture(directory, TREE, ACLS)) {
            List<QueueUserACLInfo> told = new ArrayList<>();
            UserGroupInformation.createUserForTesting("alice", new String[0])
                    .doAs((java.security.PrivilegedExceptionAction<Void>) () -> {
                        told.addAll(bed.rm
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

    private static boolean accepted(RmFixture bed, String user, String queue) {
        try {
            return !bed.submit(user, queue, 100).getQueue().isEmpty();
        } catch (Exception e) {
            assertThat(e).rootCause().hasMessageContaining("does not have permission");
            return false;
        }
    }

    private static boolean may(RmFixture bed, String user, QueueACL acl, String queue) {
        return bed.scheduler().checkAccess(UserGroupInformation.createRemoteUser(user), acl, queue);
    }

    private static void kill(RmFixture bed, String user, RMApp app) throws Exception {
        UserGroupInformation.createUserForTesting(user, new String[0]).doAs((java.security.PrivilegedExceptionAction<
                        Void>)
                () -> {
                    bed.rm
                            .getClientRMService()
                            .forceKillApplication(KillApplicationRequest.newInstance(app.getApplicationId()));
                    return null;
                });
        bed.rm.drainEvents();
    }
}
