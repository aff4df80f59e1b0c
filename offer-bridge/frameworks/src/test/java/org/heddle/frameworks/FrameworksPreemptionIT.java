// SPDX-License-Identifier: Apache-2.0
package org.heddle.frameworks;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.heddle.frameworks.fixture.BridgedCluster;
import org.heddle.frameworks.fixture.Command;
import org.heddle.frameworks.fixture.MpiPrograms;
import org.heddle.testkit.Await;
import org.heddle.testkit.machine.FreePort;
import org.heddle.testkit.machine.SystemPackage;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * Each framework has the cluster when another one comes whose queue has a guaranteed share. Preemption has a grace
 * period.
 */
@Tag("soak")
class FrameworksPreemptionIT {
    private static final Duration LONG = Duration.ofMinutes(3);
    private static final String QUEUES = """
        <heddle-scheduler version="1">
          <preemption><mode>on</mode><grace-period>6s</grace-period><max-per-second>100%</max-per-second></preemption>
          <queue name="root"><fair-share-preemption-timeout>1s</fair-share-preemption-timeout>
            <queue name="mpi"/><queue name="batch"/><queue name="web"/><queue name="newcomer"/></queue>
        </heddle-scheduler>
        """;

    @RegisterExtension
    static final BridgedCluster cluster = new BridgedCluster(
            BridgedCluster.twoNodes().queuesFile("yarn.scheduler.heddle.configuration.file", QUEUES));

    @TempDir
    Path home;

    private Command ring(String role, String rounds, String... options) throws Exception {
        Path program = home.resolve("ring");
        if (!Files.exists(program)) {
            MpiPrograms.compile("ring", home);
        }
        List<String> words = new java.util.ArrayList<>(List.of("--role", role, "--mem", "64"));
        words.addAll(List.of(options));
        words.addAll(List.of(program.toString(), rounds, "1"));
        return cluster.bridge().start(home, "mpiexec", words.toArray(new String[0]));
    }

    /** A gang of two in a queue of its own, for which someone must make room. */
    private void newcomerRuns() throws Exception {
        try (Command newcomer = ring("newcomer", "3", "-n", "2", "--guaranteed", "--hold", "60")) {
            assertThat(newcomer.await(LONG)).as(newcomer.text()).isZero();
            assertThat(newcomer.out()).endsWith("ring of 2, 3 rounds: 6\n");
        }
    }

    @Test
    void mpiRefusesToExceedItsGuaranteedShare() throws Exception {
        try (Command large = ring("mpi", "1", "-n", "3", "--guaranteed")) {
            assertThat(large.await(LONG)).as(large.text()).isEqualTo(2);
            assertThat(large.text())
                    .contains("3 slots need 3 CPUs and 192 MiB, and queue root.mpi is guaranteed 2 CPUs and")
                    .contains("use a smaller -n, or run without --guaranteed and risk preemption");
        }
    }

    @Test
    void mpiThatHasMoreThanItsShareEndsAndBeginsAgain() throws Exception {
        try (Command mpi = ring("mpi", "25", "-n", "8", "--restarts", "1")) {
            mpi.awaitText("round 1\n", LONG);
            newcomerRuns();
            assertThat(mpi.await(LONG)).as(mpi.text()).isZero();
            assertThat(mpi.text())
                    .contains("the cluster will preempt")
                    .contains("starts again from the beginning, 1 of 1")
                    .contains("ring of 8, 25 rounds: 200\n");
        }
        try (Command mpi = ring("mpi", "1000", "-n", "8")) {
            mpi.awaitText("round 1\n", LONG);
            newcomerRuns();
            assertThat(mpi.await(LONG)).as(mpi.text()).isEqualTo(75);
            assertThat(mpi.text()).contains("a part of the program was lost");
        }
    }

    @Test
    void ofTwoGangsThatDoNotFitTogetherBothRun() throws Exception {
        try (Command first = ring("mpi", "3", "-n", "6", "--hold", "3");
                Command second = ring("mpi", "3", "-n", "6", "--hold", "3")) {
            assertThat(first.await(LONG)).as(first.text()).isZero();
            assertThat(second.await(LONG)).as(second.text()).isZero();
            assertThat(first.out()).endsWith("ring of 6, 3 rounds: 18\n");
            assertThat(second.out()).endsWith("ring of 6, 3 rounds: 18\n");
        }
    }

    @Test
    void batchJobsGoBackToTheirPlacesInTheQueue() throws Exception {
        String dir = home.resolve("batch").toString();
        try (Command daemon = cluster.bridge().serve(home, dir, "--whole-cluster", "--role", "batch")) {
            try (Command submit = cluster.bridge()
                    .start(home, List.of("batch", "--dir", dir, "qsub", "--mem", "64", "-t", "8", "exec sleep 1000"))) {
                assertThat(submit.await(LONG)).as(submit.text()).isZero();
            }
            awaitRunning(dir, 8);
            newcomerRuns();
            daemon.awaitText("is queued again: the cluster wants its resources back", LONG);
            awaitRunning(dir, 8);
            assertThat(Files.readString(Path.of(dir, "queue.json"))).doesNotContain("FAILED");
            // Tasks outlive the daemon, and would take the room of the next test
            try (Command delete = cluster.bridge().start(home, List.of("batch", "--dir", dir, "qdel", "1"))) {
                assertThat(delete.await(LONG)).as(delete.text()).isZero();
            }
            awaitRunning(dir, 0);
        }
    }

    private static void awaitRunning(String dir, int wanted) {
        Path queue = Path.of(dir, "queue.json");
        Await.until(
                wanted + " elements to run",
                LONG,
                () -> Files.exists(queue) && Files.readString(queue).split("\"RUNNING\"", -1).length - 1 == wanted);
    }

    @Test
    void theWebFarmDrainsAServerAndDropsNoRequest() throws Exception {
        SystemPackage.require("haproxy");
        SystemPackage.require("nginx");
        int port = FreePort.next();
        try (Command farm = cluster.bridge()
                .start(
                        home,
                        "webfarm",
                        "--role",
                        "web",
                        "--bind",
                        "127.0.0.1:" + port,
                        "--least",
                        "2",
                        "--most",
                        "2",
                        "--cpus",
                        "4")) {
            farm.awaitText("serves with web0", LONG);
            farm.awaitText("serves with web1", LONG);
            URI page = URI.create("http://127.0.0.1:" + port + "/");
            HttpClient client = HttpClient.newHttpClient();
            try (Command newcomer = ring("newcomer", "3", "-n", "2", "--guaranteed", "--hold", "60")) {
                Await.until("the newcomer to end", LONG, () -> {
                    HttpResponse<String> answer =
                            client.send(HttpRequest.newBuilder(page).build(), HttpResponse.BodyHandlers.ofString());
                    assertThat(answer.statusCode()).as(farm.text()).isEqualTo(200);
                    return !newcomer.isAlive();
                });
                assertThat(newcomer.await(LONG)).as(newcomer.text()).isZero();
            }
            assertThat(farm.text())
                    .contains(": the cluster wants its node's resources back")
                    .doesNotContain("has lost");
        }
    }
}
