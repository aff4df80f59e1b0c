// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.apache.hadoop.util.VersionInfo;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.MutableConfScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler;
import org.heddle.drf.DrfScheduler;
import org.heddle.scheduler.yarn.HeddleScheduler;
import org.heddle.scheduler.yarn.RunningManager;
import org.heddle.scheduler.yarn.queue.HeddleQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Administrators change the configuration by YARN's own command and address, in a real ResourceManager. */
class ConfigurationChangesTest {
    private static final String FILE = """
            <?xml version="1.0" encoding="UTF-8"?>
            <heddle-scheduler version="1">
              <queue name="root">
                <submit/>
                <!-- for those who have no other -->
                <queue name="default"/>
                <queue name="old"/>
              </queue>
            </heddle-scheduler>
            """;

    @TempDir
    Path directory;

    private Path file;
    private RunningManager manager;

    @BeforeEach
    void start() throws IOException {
        file = directory.resolve("heddle-scheduler.xml");
        Files.writeString(file, FILE);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r-----"));
        manager = manager("true");
    }

    private RunningManager manager(String mutable) throws IOException {
        return new RunningManager(
                DrfScheduler.class,
                "yarn.scheduler.heddle.configuration.file",
                file.toString(),
                "yarn.scheduler.heddle.configuration.mutable",
                mutable);
    }

    @AfterEach
    void stop() {
        manager.close();
    }

    private String schedconf(String... arguments) throws Exception {
        return manager.schedconf(arguments);
    }

    private HttpResponse<String> send(String method, String path, String user, String body) throws Exception {
        return manager.send(method, path, user, body);
    }

    private static String me() throws IOException {
        return RunningManager.me();
    }

    private List<String> queues() {
        return ((HeddleScheduler) manager.rm.getResourceScheduler())
                .queues().stream().map(HeddleQueue::getQueueName).sorted().toList();
    }

    private static String settings(String key, String value) {
        return "<params><entry><key>" + key + "</key><value>" + value + "</value></entry></params>";
    }

    private HttpResponse<String> put(String change) throws Exception {
        return send("PUT", "scheduler-conf", me(), "<sched-conf>" + change + "</sched-conf>");
    }

    /** With CapacityScheduler's own mutations, in its own file; a queue must be stopped before it goes, as there. */
    @Test
    void aFileOfCapacitySchedulersChangesByItsOwnKeys() throws Exception {
        manager.close();
        file = directory.resolve("capacity-scheduler.xml");
        String prefix = "yarn.scheduler.capacity.root.";
        Files.writeString(
                file,
                "<configuration><!-- ours -->" + property(prefix + "queues", "a, b")
                        + property(prefix + "a.capacity", "40") + property(prefix + "b.capacity", "60")
                        + "</configuration>");
        manager = manager("true");
        String sum = "<update-queue><queue-name>root.a</queue-name>" + settings("capacity", "30") + "</update-queue>";
        HttpResponse<String> refused = put(sum);
        assertThat(refused.body()).contains("makes a sum of 90 percent");
        HttpResponse<String> added = put(sum + "<add-queue><queue-name>root.c</queue-name>" + settings("capacity", "10")
                + "</add-queue><global-updates><entry><key>yarn.scheduler.capacity.maximum-applications</key>"
                + "<value>500</value></entry></global-updates>");
        assertThat(added.statusCode()).as(added.body()).isEqualTo(200);
        assertThat(queues()).containsExactly("root", "root.a", "root.b", "root.c");
        String remove = "<remove-queue>root.c</remove-queue>" + sum.replace("30", "40");
        assertThat(put(remove).body()).contains("queue root.c runs, and the new file has no such queue");
        put("<update-queue><queue-name>root.c</queue-name>" + settings("state", "STOPPED") + "</update-queue>");
        HttpResponse<String> removed = put(remove);
        assertThat(removed.statusCode()).as(removed.body()).isEqualTo(200);
        assertThat(queues()).containsExactly("root", "root.a", "root.b");
        assertThat(send("GET", "scheduler-conf", me(), "").body())
                .contains("yarn.scheduler.capacity.maximum-applications")
                .contains("500");
        assertThat(Files.readString(file)).contains("<!-- ours -->").doesNotContain("root.c");
    }

    private static String property(String name, String value) {
        return "<property><name>" + name + "</name><value>" + value + "</value></property>";
    }

    @Test
    void queuesComeGoAndChangeAndTheFileSurvivesARestart() throws Exception {
        HttpResponse<String> answer = put(
                "<add-queue><queue-name>root.new</queue-name>"
                        + settings("submit.users", "ann,bob") + "</add-queue><remove-queue>root.old</remove-queue>"
                        + "<update-queue><queue-name>root.default</queue-name>" + settings("max-running-apps", "7")
                        + "</update-queue><global-updates><entry><key>max-assign</key><value>9</value></entry></global-updates>");
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        assertThat(queues()).containsExactly("root", "root.default", "root.new");
        HeddleScheduler scheduler = (HeddleScheduler) manager.rm.getResourceScheduler();
        assertThat(((HeddleQueue) scheduler.getQueue("new")).spec().submit().users())
                .containsExactlyInAnyOrder("ann", "bob");
        assertThat(((HeddleQueue) scheduler.getQueue("root.default")).spec().maxRunningApps())
                .isEqualTo(7);
        assertThat(Files.readString(file))
                .contains("<!-- for those who have no other -->", "<max-assign>9</max-assign>");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-r-----");
        assertThat(Files.readString(directory.resolve("heddle-scheduler.xml.previous")))
                .isEqualTo(FILE);
        assertThat(schedconf("-getconf")).contains("root.new:submit.users", "ann,bob", "max-assign");

        manager.close();
        manager = manager("true");
        assertThat(queues()).containsExactly("root", "root.default", "root.new");
    }

    /**
     * The command of Hadoop 3.5.0 sends JSON by names that its ResourceManager does not know. Under CapacityScheduler
     * that is a change of nothing, and a success; under ours it is refused. The command of 3.4.3 works under both.
     */
    @Test
    void theCommandWorksWhereItDoesForCapacityScheduler() throws Exception {
        boolean works = !VersionInfo.getVersion().equals("3.5.0");
        String said = schedconf("-add", "root.new:weight=3,submit.users=ann\\,bob", "-remove", "root.old");
        if (works) {
            assertThat(said).startsWith("0 ");
            assertThat(queues()).containsExactly("root", "root.default", "root.new");
        } else {
            assertThat(said).startsWith("-1 ").contains("The change says nothing that the ResourceManager understands");
            assertThat(queues()).containsExactly("root", "root.default", "root.old");
        }
        assertThat(schedconf("-format")).startsWith("-1 ").contains("There is no store to format", ".previous");

        manager.close();
        manager = new RunningManager(
                CapacityScheduler.class, YarnConfiguration.SCHEDULER_CONFIGURATION_STORE_CLASS, "memory");
        assertThat(schedconf("-update", "root.default:maximum-applications=77")).startsWith("0 ");
        assertThat(((MutableConfScheduler) manager.rm.getResourceScheduler())
                        .getConfiguration()
                        .get("yarn.scheduler.capacity.root.default.maximum-applications"))
                .isEqualTo(works ? "77" : null);
    }

    @Test
    void whatIsWrongIsSaidAndNothingChanges() throws Exception {
        String queue = "<queue-name>root.default</queue-name>";
        refused(
                "<update-queue>" + queue + settings("weight", "heavy") + "</update-queue>",
                "<weight> = 'heavy': must be 0");
        refused("<update-queue>" + queue + settings("wieght", "2") + "</update-queue>", "did you mean weight?");
        refused("<remove-queue>root.none</remove-queue>", "root.none: is not a queue of this file");
        refused(
                "<global-updates><entry><key>yarn.scheduler.capacity.maximum-applications</key><value>5</value></entry>"
                        + "</global-updates>",
                "is no key here");
        refused("", "The change says nothing");
        assertThat(Files.readString(file)).isEqualTo(FILE);
        assertThat(queues()).containsExactly("root", "root.default", "root.old");
        try (var left = Files.list(directory)) {
            assertThat(left).containsExactly(file);
        }
    }

    private void refused(String change, String sentence) throws Exception {
        HttpResponse<String> answer = put(change);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(400);
        assertThat(answer.body()).contains(sentence).doesNotContain("Exception", "\tat ");
    }

    @Test
    void aChangeCanBeTriedOutWithoutBeingMade() throws Exception {
        String good = "<sched-conf><update-queue><queue-name>root.default</queue-name><params><entry><key>weight</key>"
                + "<value>4</value></entry></params></update-queue></sched-conf>";
        HttpResponse<String> tried = send("POST", "scheduler-conf/validate", me(), good);
        assertThat(tried.statusCode()).as(tried.body()).isEqualTo(200);
        assertThat(tried.body()).contains("root.default:weight");
        HttpResponse<String> bad = send("POST", "scheduler-conf/validate", me(), good.replace(">4<", ">four<"));
        assertThat(bad.statusCode()).isEqualTo(400);
        assertThat(bad.body()).contains("<weight> = 'four'").doesNotContain("Exception");
        assertThat(Files.readString(file)).isEqualTo(FILE);
        assertThat(send("GET", "scheduler-conf", me(), "").body()).contains("root.old");
    }

    @Test
    void onlyAdministratorsMay() throws Exception {
        String change = "<sched-conf><remove-queue>root.old</remove-queue></sched-conf>";
        assertThat(send("PUT", "scheduler-conf", "eve", change).statusCode()).isEqualTo(403);
        assertThat(send("GET", "scheduler-conf", "eve", "").statusCode()).isEqualTo(403);
        assertThat(send("POST", "scheduler-conf/validate", "eve", change).statusCode())
                .isEqualTo(403);
        assertThat(queues()).contains("root.old");
        HttpResponse<String> mine = send("PUT", "scheduler-conf", me(), change);
        assertThat(mine.statusCode()).as(mine.body()).isEqualTo(200);
        assertThat(queues()).doesNotContain("root.old");
    }

    @Test
    void withoutTheSwitchNobodyMay() throws Exception {
        manager.close();
        manager = manager("false");
        String change = "<sched-conf><remove-queue>root.old</remove-queue></sched-conf>";
        HttpResponse<String> refused = send("PUT", "scheduler-conf", me(), change);
        assertThat(refused.statusCode()).isEqualTo(400);
        assertThat(send("POST", "scheduler-conf/validate", me(), change).body())
                .contains("cannot be changed over the network: switch that on in yarn-site.xml");
        assertThat(Files.readString(file)).isEqualTo(FILE);
    }
}
