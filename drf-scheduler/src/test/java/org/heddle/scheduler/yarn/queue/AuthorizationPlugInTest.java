// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.authorize.AccessControlList;
import org.apache.hadoop.yarn.api.records.QueueACL;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.security.AccessRequest;
import org.apache.hadoop.yarn.security.AccessType;
import org.apache.hadoop.yarn.security.Permission;
import org.apache.hadoop.yarn.security.YarnAuthorizationProvider;
import org.apache.hadoop.yarn.server.resourcemanager.MockRM;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.AbstractYarnScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair.FairScheduler;
import org.heddle.drf.DrfScheduler;
import org.heddle.scheduler.yarn.RmFixture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An authorization plug-in decides about queues as it does under FairScheduler. */
class AuthorizationPlugInTest {
    private static final String FAIR = "<allocations><queue name=\"root\"><aclSubmitApps> </aclSubmitApps>"
            + "<aclAdministerApps>boss</aclAdministerApps>"
            + "<queue name=\"lab\"><aclSubmitApps>alice,mallory</aclSubmitApps></queue>"
            + "<queue name=\"shop\"><aclSubmitApps>bob</aclSubmitApps></queue></queue></allocations>";
    private static final String OURS = "<heddle-scheduler version=\"1\"><queue name=\"root\"><submit/>"
            + "<queue name=\"lab\"><submit users=\"%s\"/></queue></queue></heddle-scheduler>";

    @TempDir
    Path directory;

    /** Has policies like Ranger's: a denial, a grant, and otherwise the lists that the scheduler has told. */
    public static final class Policies extends YarnAuthorizationProvider {
        private final Map<String, Map<AccessType, AccessControlList>> lists = new ConcurrentHashMap<>();

        @Override
        public void init(Configuration conf) {}

        @Override
        public boolean checkPermission(AccessRequest request) {
            String user = request.getUser().getShortUserName();
            String queue = request.getEntity().getName();
            if (user.equals("mallory")) {
                return false;
            }
            if (user.equals("carol") && queue.equals("root.shop")) {
                return true;
            }
            for (String at = queue; !at.isEmpty(); at = at.substring(0, Math.max(0, at.lastIndexOf('.')))) {
                AccessControlList list = lists.getOrDefault(at, Map.of()).get(request.getAccessType());
                if (list != null && list.isUserAllowed(request.getUser())) {
                    return true;
                }
            }
            return false;
        }

        @Override
        public void setPermission(List<Permission> permissions, UserGroupInformation user) {
            permissions.forEach(permission -> lists.put(permission.getTarget().getName(), permission.getAcls()));
        }

        @Override
        public void setAdmins(AccessControlList administrators, UserGroupInformation user) {}

        @Override
        public boolean isAdmin(UserGroupInformation user) {
            return user.getShortUserName().equals("yarnadmin");
        }
    }

    private static final String[] WITH_PLUG_IN = {
        "yarn.acl.enable", "true", YarnConfiguration.YARN_AUTHORIZATION_PROVIDER, Policies.class.getName()
    };

    @BeforeEach
    @AfterEach
    void forgetAuthorizer() {
        YarnAuthorizationProvider.destroy(); // one for the whole process, with the first configuration that it saw
    }

    @Test
    void theAnswersAreThoseUnderFairScheduler() throws Exception {
        for (String aclEnabled : List.of("true", "false")) {
            Map<String, Boolean> fair = answers(FairScheduler.class, aclEnabled);
            assertThat(fair)
                    .containsEntry("alice SUBMIT_APPLICATIONS root.lab", true)
                    .containsEntry("mallory SUBMIT_APPLICATIONS root.lab", false)
                    .containsEntry("carol SUBMIT_APPLICATIONS root.shop", true)
                    .containsEntry("yarnadmin SUBMIT_APPLICATIONS root.shop", false)
                    .containsEntry("boss ADMINISTER_QUEUE root.lab", true);
            assertThat(answers(DrfScheduler.class, aclEnabled)).isEqualTo(fair);
        }
    }

    private Map<String, Boolean> answers(Class<?> scheduler, String aclEnabled) throws Exception {
        forgetAuthorizer();
        Path file = Files.writeString(directory.resolve("fair-scheduler.xml"), FAIR);
        YarnConfiguration conf = new YarnConfiguration();
        conf.set(YarnConfiguration.RM_SCHEDULER, scheduler.getName());
        conf.set("yarn.scheduler.fair.allocation.file", file.toString());
        conf.set(WITH_PLUG_IN[0], aclEnabled);
        conf.set(WITH_PLUG_IN[2], WITH_PLUG_IN[3]);
        conf.set(
                YarnConfiguration.FS_NODE_ATTRIBUTE_STORE_ROOT_DIR,
                directory.resolve("node-attributes").toUri().toString());
        Map<String, Boolean> answers = new TreeMap<>();
        try (MockRM rm = new MockRM(conf)) {
            rm.start();
            AbstractYarnScheduler<?, ?> asked = (AbstractYarnScheduler<?, ?>) rm.getResourceScheduler();
            for (String user : List.of("alice", "bob", "carol", "mallory", "boss", "yarnadmin")) {
                for (String queue : List.of("root", "root.lab", "root.shop")) {
                    for (QueueACL acl : QueueACL.values()) {
                        answers.put(
                                user + " " + acl + " " + queue,
                                asked.checkAccess(UserGroupInformation.createRemoteUser(user), acl, queue));
                    }
                }
            }
        }
        return answers;
    }

    @Test
    void aRefusedSubmissionNamesThePlugInAndNewListsReachIt() throws Exception {
        try (RmFixture fixture = new RmFixture(directory, OURS.formatted("alice"), WITH_PLUG_IN)) {
            assertThat(fixture.submit("alice", "root.lab", 100).getQueue()).isEqualTo("root.lab");
            assertThatThrownBy(() -> fixture.submit("mallory", "root.lab", 100))
                    .rootCause()
                    .hasMessageContaining("User mallory does not have permission to submit")
                    .hasMessageEndingWith("the authorization plug-in " + Policies.class.getName()
                            + " decides; ask for a policy there");
            Files.writeString(directory.resolve("heddle-scheduler.xml"), OURS.formatted("bob"));
            fixture.scheduler().reinitialize(fixture.conf, fixture.rm.getRMContext());
            assertThat(fixture.submit("bob", "root.lab", 100).getQueue()).isEqualTo("root.lab");
            assertThatThrownBy(() -> fixture.submit("alice", "root.lab", 100))
                    .rootCause()
                    .hasMessageContaining("does not have permission");
        }
    }
}
