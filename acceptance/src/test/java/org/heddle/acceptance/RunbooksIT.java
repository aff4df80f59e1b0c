// SPDX-License-Identifier: Apache-2.0
package org.heddle.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * docs/runbooks.md and the steps of docs/install.md to the letter, from the archive, on a pair of ResourceManagers with
 * ZooKeeper and HDFS: FairScheduler, ours with the same file, ours with a file of its own, CapacityScheduler, ours, and
 * FairScheduler again, with jobs that run meanwhile. It takes minutes, so it is in the profile {@code soak}.
 */
@Order(97)
@Tag("soak")
@ExtendWith(KeepLogs.class)
@SuppressWarnings("NullAway.Init") // the one test sets the fields first
class RunbooksIT {
    private static final String CLASS = "yarn.resourcemanager.scheduler.class";
    private static final String CAPACITY =
            "org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler";
    private static final String FAIR_FILE = """
            <allocations>
              <queue name="alpha"><weight>3</weight></queue>
              <queue name="narrow"><maxRunningApps>1</maxRunningApps></queue>
            </allocations>
            """;

    private static final String OWN_FILE = """
            <heddle-scheduler version="1">
              <queue name="root">
                <node-labels>*</node-labels>
                <queue name="alpha"><weight>3</weight></queue>
                <queue name="narrow"><max-running-apps>1</max-running-apps></queue>
                <queue name="here"><max-running-apps-per-user>20</max-running-apps-per-user></queue>
                <queue name="labelled"><default-node-label>special</default-node-label></queue>
                <queue name="planned"><plan/></queue>
              </queue>
            </heddle-scheduler>
            """;

    private static final String CAPACITY_FILE = """
            <configuration>
              <property><name>yarn.scheduler.capacity.root.queues</name><value>alpha,narrow</value></property>
              <property><name>yarn.scheduler.capacity.root.alpha.capacity</name><value>75</value></property>
              <property><name>yarn.scheduler.capacity.root.narrow.capacity</name><value>25</value></property>
              <property><name>yarn.scheduler.capacity.maximum-am-resource-percent</name><value>1</value></property>
            </configuration>
            """;

    private Distribution distribution;
    private Cluster cluster;
    private ManagerPair pair;

    @Test
    @Timeout(value = 40, unit = TimeUnit.MINUTES)
    void thePairGoesToOursAndBackWithJobsRunning() throws Exception {
        distribution = Distribution.unpack();
        HadoopHome home = HadoopHome.assemble(HadoopHome.Line.HADOOP_3_5);
        try (Cluster started = Cluster.builder(home)
                .pair()
                .withoutHistoryServer()
                .scheduler(SharedCluster.FAIR)
                .file("fair-scheduler.xml", FAIR_FILE)
                .file("capacity-scheduler.xml", CAPACITY_FILE)
                .property("yarn.scheduler.heddle.configuration.mutable", "true")
                .property("yarn.resourcemanager.reservation-system.enable", "true")
                .property("yarn.node-labels.enabled", "true")
                .property("yarn.node-labels.fs-store.root-dir", "/yarn/labels")
                .property("yarn.resourcemanager.rm.container-allocation.expiry-interval-ms", "76000")
                .nodes(3, 4096, 8)
                .start()) {
            cluster = started;
            pair = new ManagerPair(cluster);
            try (WaitingJob first = new WaitingJob(cluster, "first", "root.narrow")) {
                JsonNode before = first.awaitRunning();
                try (WaitingJob second = new WaitingJob(cluster, "second", "root.narrow")) {
                    cluster.await("the second job to wait", () -> isWaiting(second));
                    toOurs();
                    assertGoesOn(first, before);
                    assertThat(isWaiting(second)).isTrue();
                    assertThat(first.finish()).contains("completed successfully");
                    second.awaitRunning();
                    assertThat(second.finish()).contains("completed successfully");
                }
            }
            toAFileOfItsOwn();
            toCapacitySchedulerAndBack();
            toFairScheduler();
        } finally {
            SourceTree.delete(distribution.directory());
            SourceTree.delete(home.path());
        }
    }

    private static boolean isWaiting(WaitingJob job) throws IOException {
        JsonNode report = job.report();
        return report.path("state").asText().equals("ACCEPTED")
                && report.path("runningContainers").asInt() <= 0
                && report.path("queue").asText().equals("root.narrow");
    }

    /** The five steps of docs/install.md. */
    private void toOurs() throws Exception {
        for (String host : List.of("rm1", "rm2")) {
            assertThat(shell("bin/heddle install --hadoop-home \"$HADOOP_HOME\"")
                            .orFail()
                            .out())
                    .as(host)
                    .contains("heddle-drf-scheduler");
        }
        putIntoHdfs("fair-scheduler.xml", FAIR_FILE);
        cluster.set("yarn.scheduler.fair.allocation.file", inHdfs("fair-scheduler.xml"));
        cluster.set(CLASS, SharedCluster.HEDDLE);
        pair.restartStandby();
        String standby = pair.standby();
        cluster.await(
                "the command to say standby",
                () -> shell("yarn rmadmin -getServiceState " + standby)
                        .out()
                        .strip()
                        .equals("standby"));
        CommandResult doctor = shell("bin/heddle doctor");
        assertThat(doctor.exit()).as(doctor.toString()).isEqualTo(1);
        assertThat(doctor.out()).contains("they run different schedulers");
        pair.restartActive();
        bothRunIt();
        assertThat(cluster.rest("/heddle/v1/config").toString()).contains(inHdfs("fair-scheduler.xml"));
    }

    /** The last step of docs/install.md. */
    private void bothRunIt() throws Exception {
        pair.awaitStandby();
        assertThat(shell("yarn rmadmin -getAllServiceState").orFail().out()).contains("active", "standby");
        CommandResult doctor = shell("bin/heddle doctor");
        assertThat(doctor.exit()).as(doctor.toString()).isZero();
    }

    /** A change over the network is in HDFS, so the other manager has it, too. */
    private void toAFileOfItsOwn() throws Exception {
        putIntoHdfs("heddle-scheduler.xml", OWN_FILE);
        cluster.set("yarn.scheduler.heddle.configuration.file", inHdfs("heddle-scheduler.xml"));
        restartBoth();
        bothRunIt();
        HttpResponse<String> answer = Rest.send(
                "PUT",
                cluster.manager("/ws/v1/cluster/scheduler-conf?user.name=" + System.getProperty("user.name")),
                "application/xml",
                "<sched-conf><update-queue><queue-name>root.here</queue-name><params><entry><key>weight</key>"
                        + "<value>2</value></entry></params></update-queue></sched-conf>");
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        pair.restartActive();
        assertThat(Queues.find(cluster, "root.here").path("weight").asDouble()).isEqualTo(2);
    }

    /** An application in a queue that capacity-scheduler.xml has not is killed; the others continue. */
    private void toCapacitySchedulerAndBack() throws Exception {
        try (WaitingJob here = new WaitingJob(cluster, "only-here", "root.here");
                WaitingJob alpha = new WaitingJob(cluster, "both", "root.alpha")) {
            here.awaitRunning();
            JsonNode before = alpha.awaitRunning();
            cluster.set(CLASS, CAPACITY);
            restartBoth();
            assertGoesOn(alpha, before);
            cluster.await(
                    "the job in a queue of ours to be ended",
                    () -> here.report().path("state").asText().matches("KILLED|FAILED"));
            cluster.set(CLASS, SharedCluster.HEDDLE);
            restartBoth();
            bothRunIt();
            assertGoesOn(alpha, before);
            assertThat(alpha.finish()).contains("completed successfully");
        }
    }

    /** With queues, labels and a plan that FairScheduler's file has not. */
    private void toFairScheduler() throws Exception {
        shell("yarn rmadmin -addToClusterNodeLabels special").orFail();
        shell("yarn rmadmin -replaceLabelsOnNode \"" + cluster.address("node3") + "=special\"")
                .orFail();
        String reservation = Reservations.make(cluster, "planned", "alice");
        cluster.await(
                "the reservation to have a queue",
                () -> !Queues.find(cluster, "root.planned." + reservation).isEmpty());
        try (WaitingJob here = new WaitingJob(cluster, "moved-back", "root.here");
                WaitingJob labelled = new WaitingJob(cluster, "labelled", "root.labelled")) {
            JsonNode hereBefore = here.awaitRunning();
            JsonNode labelledBefore = labelled.awaitRunning();
            assertThat(labelledBefore.path("amHostHttpAddress").asText()).startsWith(cluster.address("node3"));
            cluster.set(CLASS, SharedCluster.FAIR);
            restartBoth();
            assertThat(cluster.rest("/ws/v1/cluster/scheduler")
                            .at("/scheduler/schedulerInfo/rootQueue")
                            .toString())
                    .doesNotContain("\"root.planned\"");
            assertStillRuns(here, hereBefore);
            assertStillRuns(labelled, labelledBefore);
            assertThat(here.report().path("queue").asText()).isEqualTo("root.here");
            assertThat(here.finish()).contains("completed successfully");
            assertThat(labelled.finish()).contains("completed successfully");
        }
        assertThat(shell("yarn cluster --list-node-labels").orFail().out()).contains("special");
        shell("bin/heddle uninstall --hadoop-home \"$HADOOP_HOME\"").orFail();
    }

    private void restartBoth() throws IOException {
        pair.restartStandby();
        pair.restartActive();
    }

    /** The same attempt with the same containers. */
    private void assertGoesOn(WaitingJob job, JsonNode before) throws IOException {
        assertStillRuns(job, before);
        assertThat(job.report().path("queue")).isEqualTo(before.path("queue"));
    }

    private void assertStillRuns(WaitingJob job, JsonNode before) throws IOException {
        JsonNode after = job.awaitRunning();
        assertThat(after.path("id")).isEqualTo(before.path("id"));
        assertThat(after.path("amContainerLogs")).isEqualTo(before.path("amContainerLogs"));
    }

    private String inHdfs(String file) {
        return "hdfs://" + cluster.address("namenode") + ":" + Site.NAME_NODE + "/yarn/conf/" + file;
    }

    private void putIntoHdfs(String file, String content) throws IOException {
        shell("hadoop fs -mkdir -p /yarn/conf && hadoop fs -put -f - /yarn/conf/" + file + " <<'END'\n" + content
                        + "END")
                .orFail();
    }

    /** A line as the document has it, in the directory of the archive. */
    private CommandResult shell(String line) throws IOException {
        Path bin = cluster.home().path().resolve("bin");
        return cluster.command("bash", "-c", line)
                .in(distribution.directory())
                .with("PATH", bin + ":" + System.getenv("PATH"))
                .run();
    }
}
