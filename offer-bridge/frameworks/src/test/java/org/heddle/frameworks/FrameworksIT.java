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
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.heddle.frameworks.fixture.BridgedCluster;
import org.heddle.frameworks.fixture.Command;
import org.heddle.frameworks.fixture.MpiPrograms;
import org.heddle.testkit.machine.FreePort;
import org.heddle.testkit.machine.SystemPackage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** The frameworks as users start them, on a real cluster with a real bridge. */
class FrameworksIT {
    private static final Duration LONG = Duration.ofSeconds(60);

    @RegisterExtension
    static final BridgedCluster cluster = new BridgedCluster(BridgedCluster.twoNodes());

    @TempDir
    Path home;

    @Test
    void anMpiProgramRunsAsUnderMpiexec() throws Exception {
        Path solve = MpiPrograms.compile("solve", home);
        // It has the cluster for itself: to give back what it has, because agents start slowly, would help nobody
        try (Command run = cluster.bridge()
                .start(home, "mpiexec", "-n", "3", "--mem", "128", "--hold", "300", solve.toString(), "200")) {
            assertThat(run.await(LONG)).as(run.text()).isZero();
            assertThat(run.out()).startsWith("n=200 processes=3 ").endsWith(" PASSED\n");
        }
        try (Command wrong = cluster.bridge()
                .start(home, "mpiexec", "-n", "2", "--mem", "128", "--hold", "300", solve.toString(), "-1")) {
            assertThat(wrong.await(LONG)).as(wrong.text()).isEqualTo(2);
        }
    }

    @Test
    void batchJobsRunInTheirOrder() throws Exception {
        String dir = home.resolve("batch").toString();
        assertThat(submit(
                        "--dir",
                        dir,
                        "--output",
                        home.toString(),
                        "-n",
                        "2",
                        "echo member $BATCH_INDEX of $BATCH_TASKS"))
                .isEqualTo("1");
        try (Command daemon = cluster.bridge().serve(home, dir)) {
            assertThat(submit("--dir", dir, "-t", "3", "-N", "array", "exit $((BATCH_INDEX / 2))"))
                    .isEqualTo("2");
            assertThat(submit("--dir", dir, "--walltime", "2s", "-N", "long", "sleep 1000"))
                    .isEqualTo("3");
            assertThat(submit("--dir", dir, "-t", "100", "sleep 1000")).isEqualTo("4");
            awaitStat(dir, "1", "DONE");
            awaitStat(dir, "2", "2 DONE, 1 FAILED");
            awaitStat(dir, "3", "ran longer than its walltime of 2 s");
            awaitStat(dir, "4", "QUEUED");
            assertThat(run("batch", "--dir", dir, "qdel", "4")).isEmpty();
            awaitStat(dir, "4", "DELETED");
            try (Command impossible = cluster.bridge()
                    .start(home, List.of("batch", "qsub", "--dir", dir, "--mem", "64", "--cpus", "1000", "true"))) {
                assertThat(impossible.await(LONG)).isEqualTo(2);
                assertThat(impossible.text()).contains("no node has 1000 CPUs");
            }
            assertThat(daemon.isAlive()).as(daemon.text()).isTrue();
        }
        assertThat(home.resolve("1.0.out")).hasContent("member 0 of 2");
        assertThat(home.resolve("1.1.out")).hasContent("member 1 of 2");
    }

    private String submit(String... options) throws Exception {
        List<String> words = new java.util.ArrayList<>(List.of("batch", "qsub", "--mem", "64"));
        words.addAll(List.of(options));
        return run(words.toArray(new String[0])).strip();
    }

    private String run(String... words) throws Exception {
        try (Command command = cluster.bridge().start(home, List.of(words))) {
            assertThat(command.await(LONG)).as(command.text()).isZero();
            return command.out();
        }
    }

    private void awaitStat(String dir, String id, String text) {
        org.heddle.testkit.Await.until(
                "job " + id + " to be " + text,
                LONG,
                () -> run("batch", "--dir", dir, "qstat", id).contains(text),
                () -> {
                    try {
                        return run("batch", "--dir", dir, "qstat");
                    } catch (Exception e) {
                        return e.toString();
                    }
                });
    }

    @Test
    void theWebFarmFollowsTheLoadAndDropsNoRequest() throws Exception {
        SystemPackage.require("haproxy");
        SystemPackage.require("nginx");
        Files.writeString(home.resolve("page"), "x".repeat(20_000));
        int port = FreePort.next();
        AtomicInteger good = new AtomicInteger();
        AtomicInteger bad = new AtomicInteger();
        AtomicBoolean over = new AtomicBoolean();
        URI page = URI.create("http://127.0.0.1:" + port + "/page");
        ExecutorService clients = Executors.newFixedThreadPool(9);
        try (Command farm = cluster.bridge()
                .start(
                        home,
                        "webfarm",
                        "--bind",
                        "127.0.0.1:" + port,
                        "--sessions",
                        "4",
                        "--most",
                        "2",
                        "--calm",
                        "2",
                        "--location",
                        "limit_rate 20k; root " + home + ";")) {
            farm.awaitText("serves with web0", LONG);
            for (int i = 0; i < 8; i++) {
                clients.execute(() -> {
                    HttpClient client = client();
                    while (!over.get()) {
                        boolean whole = isWhole(client, page);
                        (whole ? good : bad).incrementAndGet();
                    }
                });
            }
            farm.awaitText("serves with web1", LONG);
            int before = good.get();
            org.heddle.testkit.Await.until("more pages", LONG, () -> good.get() >= before + 16);
            over.set(true);
            clients.shutdown();
            // The end of the farm would cut pages that are still on their way.
            org.heddle.testkit.Await.until("the last pages", LONG, clients::isTerminated);
            farm.awaitText("drains web1", LONG);
            assertThat(isWhole(client(), page)).isTrue();
        } finally {
            over.set(true);
            clients.shutdown();
        }
        assertThat(clients.awaitTermination(1, java.util.concurrent.TimeUnit.MINUTES))
                .isTrue();
        assertThat(bad).as("dropped requests; good ones: " + good).hasValue(0);
    }

    private static HttpClient client() {
        return HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    }

    private static boolean isWhole(HttpClient client, URI page) {
        try {
            HttpResponse<String> answer =
                    client.send(HttpRequest.newBuilder(page).build(), HttpResponse.BodyHandlers.ofString());
            return answer.statusCode() == 200 && answer.body().length() == 20_000;
        } catch (java.io.IOException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
