// SPDX-License-Identifier: Apache-2.0
package org.heddle.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.util.regex.Pattern;
import org.heddle.testkit.Await;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * docs/troubleshooting.md to the letter: each symptom is made, and the log, the page or the command says what the
 * document names. About two minutes of starts, so it is in the profile {@code soak}.
 */
@Order(98)
@Tag("soak")
@ExtendWith(KeepLogs.class)
class TroubleshootingIT {
    private static final String FILE = "heddle-scheduler.xml";
    private static final String GOOD = """
            <heddle-scheduler version="1">
              <queue name="root">
                <queue name="default"/>
                <queue name="full"><max-running-apps>0</max-running-apps></queue>
                <queue name="closed"><state>stopped</state></queue>
              </queue>
            </heddle-scheduler>
            """;

    private static final String BAD = GOOD.replace("state>", "stat>");
    private static final String RESERVATIONS = "yarn.resourcemanager.reservation-system.";

    @Test
    void eachSymptomIsWhatTheDocumentSays() throws Exception {
        Distribution distribution = Distribution.unpack();
        HadoopHome home = HadoopHome.assemble(HadoopHome.Line.HADOOP_3_5);
        distribution.install(home, "drf");
        try (Cluster cluster = Cluster.builder(home)
                .withoutHistoryServer()
                .scheduler(SharedCluster.HEDDLE)
                .file(FILE, GOOD)
                .nodes(1, 2048, 4)
                .start()) {
            aChangedFileHasNoEffect(cluster);
            applicationsStayInAccepted(cluster, distribution);
            pagesAnswer404(cluster);
            theManagerDoesNotStart(cluster, distribution, home);
        }
    }

    private static void aChangedFileHasNoEffect(Cluster cluster) throws IOException {
        documented("heddle_configuration_refused");
        assertThat(metric(cluster)).isEqualTo("0.0");
        cluster.rewrite(FILE, BAD);
        cluster.await("the file to be refused", () -> metric(cluster).equals("1.0"));
        assertThat(cluster.daemon("rm1").output()).containsPattern(FILE + ".*line \\d+, <stat>");
        assertThat(cluster.rest("/heddle/v1/config").path("problem").asText()).contains("<stat>");
        cluster.rewrite(FILE, GOOD);
        cluster.await("the file to be read again", () -> metric(cluster).equals("0.0"));
    }

    private static String metric(Cluster cluster) throws IOException {
        return Rest.get(cluster.manager("/heddle/metrics"))
                .body()
                .lines()
                .filter(line -> line.startsWith("heddle_configuration_refused "))
                .map(line -> line.substring(line.indexOf(' ') + 1))
                .findFirst()
                .orElse("");
    }

    private static void applicationsStayInAccepted(Cluster cluster, Distribution distribution) throws Exception {
        documented("a limit of running applications");
        try (Daemon job = pi(cluster, "full").start("waits", cluster.directory().resolve("logs/waits.log"))) {
            cluster.await(
                    "the application to be there", () -> !applications(cluster).isEmpty());
            String id = applications(cluster);
            cluster.await("the answer of heddle why", () -> {
                CommandResult why = cluster.command(distribution.command("heddle"))
                        .and("why", "--rm", cluster.manager("/").toString(), id)
                        .run();
                return why.exit() == 0
                        && why.out().contains("runs 0 applications, the most that it may at once")
                        && why.out().contains("Way out: wait until another application ends, or raise that limit");
            });
            assertThat(job.isAlive()).isTrue();
            cluster.client("yarn", "application", "-kill", id).as("alice").run().orFail();
        }
        documented("the queue is stopped");
        CommandResult refused = pi(cluster, "closed").run();
        assertThat(refused.exit()).isNotZero();
        assertThat(refused.text()).contains("queue root.closed is stopped").contains("<state>");
    }

    private static Command pi(Cluster cluster, String queue) throws IOException {
        return cluster.client("hadoop", "jar", cluster.home().examples(), "pi")
                .and("-Dmapreduce.job.queuename=" + queue, "1", "1")
                .as("alice");
    }

    private static String applications(Cluster cluster) throws IOException {
        return cluster.rest("/ws/v1/cluster/apps").at("/apps/app/0/id").asText();
    }

    private static void pagesAnswer404(Cluster cluster) throws IOException {
        documented("`/heddle/usage` is 404");
        documented("`yarn.scheduler.heddle.usage.directory` is `none`");
        assertThat(status(cluster, "/heddle/usage")).isEqualTo(200);
        cluster.set("yarn.scheduler.heddle.usage.directory", "none");
        restart(cluster);
        assertThat(status(cluster, "/heddle/usage")).isEqualTo(404);

        documented("`/heddle/` is 404");
        cluster.set("yarn.resourcemanager.scheduler.class", SharedCluster.FAIR);
        restart(cluster);
        assertThat(status(cluster, "/heddle/")).isEqualTo(404);
        cluster.set("yarn.resourcemanager.scheduler.class", SharedCluster.HEDDLE);
    }

    private static int status(Cluster cluster, String path) throws IOException {
        return Rest.get(cluster.manager(path)).statusCode();
    }

    private static void restart(Cluster cluster) throws IOException {
        cluster.daemon("rm1").stop();
        cluster.startStopped();
        cluster.awaitReady();
    }

    private static void theManagerDoesNotStart(Cluster cluster, Distribution distribution, HadoopHome home)
            throws IOException {
        distribution.uninstall(home);
        String symptom = "ClassNotFoundException: org.heddle.drf.DrfScheduler";
        documented("`" + symptom + "`");
        assertThat(lastWordsOfAStart(cluster)).contains(symptom);
        distribution.install(home, "drf");

        documented("one sentence with a file, a line and an element");
        cluster.rewrite(FILE, BAD);
        assertThat(lastWordsOfAStart(cluster)).containsPattern(FILE + ".*line \\d+, <stat>");
        cluster.rewrite(FILE, GOOD);

        documented("`" + RESERVATIONS + "class` is named");
        cluster.set(RESERVATIONS + "enable", "true");
        cluster.set(
                RESERVATIONS + "class",
                "org.apache.hadoop.yarn.server.resourcemanager.reservation.FairReservationSystem");
        assertThat(lastWordsOfAStart(cluster)).contains(RESERVATIONS + "class").contains("<reservation/>");
    }

    /** What the ResourceManager writes when it starts in vain. */
    private static String lastWordsOfAStart(Cluster cluster) throws IOException {
        Daemon manager = cluster.daemon("rm1");
        manager.stop();
        int before = manager.output().length();
        manager.start();
        Await.until("the ResourceManager to end", SharedCluster.PATIENCE, () -> !manager.isAlive(), manager::tail);
        return manager.output().substring(before);
    }

    private static void documented(String text) throws IOException {
        String document = Files.readString(SourceTree.root().resolve("docs/troubleshooting.md"));
        assertThat(document.replaceAll("\\s+", " ")).containsPattern(Pattern.quote(text));
    }
}
