// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.spark.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.fs.FileSystem;
import org.heddle.drf.DrfScheduler;
import org.heddle.offers.fixture.BridgeProcess;
import org.heddle.offers.fixture.Program;
import org.heddle.offers.http.Credentials;
import org.heddle.testkit.Await;
import org.heddle.testkit.ClusterNode;
import org.heddle.testkit.HeddleCluster;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * The applications of the RDD paper on offers give the results of a reference, also when executors, nodes or the bridge
 * fail.
 */
class SparkOnOffersIT {
    private static final int POINTS = 2_000;
    private static final int PARTITIONS = 60;
    private static final int ITERATIONS = 10;
    /** Enough that a bridge starts again, or a node expires, before the job is over. */
    private static final int MANY = 100;

    private static final int PAGES = 300;
    private static final Duration LONG = Duration.ofMinutes(3);
    private static final String PASSWORD = "changeit";

    private static final String QUEUES = """
        <heddle-scheduler version="1">
          <preemption><mode>on</mode><grace-period>15s</grace-period><max-per-second>100%</max-per-second></preemption>
          <queue name="root"><fair-share-preemption-timeout>1s</fair-share-preemption-timeout>
            <queue name="default"/><queue name="a"/><queue name="b"/></queue>
        </heddle-scheduler>
        """;

    @RegisterExtension
    static final HeddleCluster cluster = HeddleCluster.builder()
            .scheduler(DrfScheduler.class.getName())
            .queuesFile("yarn.scheduler.heddle.configuration.file", QUEUES)
            .addressesAsNames()
            .nodes(3, Map.of("memory-mb", 4096L, "vcores", 4L))
            .hdfs(3)
            .property("yarn.nm.liveness-monitor.expiry-interval-ms", "10000")
            .build();

    @TempDir
    private static Path directory;

    private static BridgeProcess bridge;

    @BeforeAll
    static void start() throws Exception {
        SparkJob.prepare(cluster, directory);
        bridge = new BridgeProcess(cluster, directory.resolve("bridge"));
        write("/points", Inputs.text(Inputs.labelled(POINTS)));
        write("/links", Inputs.text(Inputs.links(PAGES, 10 * PAGES)));
    }

    @AfterAll
    static void stop() {
        bridge.close();
    }

    @Test
    void anExecutorThatIsKilledInIterationSixIsRecoveredByLineage() throws Exception {
        try (SparkJob job = regression("killed", "*", ITERATIONS, "/weights-killed")) {
            job.awaitLog("Iteration 6 begins");
            List<ProcessHandle> executors = job.executors();
            assertThat(executors).hasSize(3);
            executors.get(0).destroyForcibly();
            job.awaitSuccess();
            String log = job.log();
            assertThat(log).as("tasks run where their data are").contains("NODE_LOCAL");
            assertThat(log).as("another one was launched").contains("Launching executor 3 ");
            assertThat(log.indexOf("has ended: TASK_FAILED"))
                    .as("place in the log of the loss")
                    .isGreaterThan(log.indexOf("Iteration 6 begins"));
        }
        assertWeights("/weights-killed", ITERATIONS);
    }

    @Test
    void clustersOfPointsAreThoseOfTheReference() throws Exception {
        int k = 4;
        try (SparkJob job = new SparkJob(directory, "k-means")
                .set("spark.cores.max", "3")
                .example(address(), "KMeans", "/points", 6, ITERATIONS, "/centers", k)) {
            job.awaitSuccess();
        }
        double[][] expected = Reference.kMeans(Inputs.labelled(POINTS), k, ITERATIONS);
        List<String> lines = read("/centers").lines().toList();
        assertThat(lines).hasSize(k);
        for (int c = 0; c < k; c++) {
            assertThat(numbers(lines.get(c).split(" ", -1))).containsExactly(expected[c], within(1e-9));
        }
    }

    @Test
    void ranksOfPagesAreThoseOfTheReference() throws Exception {
        try (SparkJob job = new SparkJob(directory, "page-rank")
                .set("spark.cores.max", "3")
                .example(address(), "PageRank", "/links", 6, ITERATIONS, "/ranks")) {
            job.awaitSuccess();
        }
        Map<String, Double> ranks = new TreeMap<>();
        read("/ranks")
                .lines()
                .map(line -> line.split(" ", -1))
                .forEach(pair -> ranks.put(pair[0], Double.valueOf(pair[1])));
        Map<String, Double> expected = Reference.pageRank(Inputs.links(PAGES, 10 * PAGES), ITERATIONS);
        assertThat(ranks.keySet()).isEqualTo(expected.keySet());
        ranks.forEach((page, rank) -> assertThat(rank).as(page).isCloseTo(expected.get(page), within(1e-9)));
    }

    @Test
    void theBridgeIsKilledAndAnExecutorAfterIt() throws Exception {
        try (SparkJob job = regression("bridge", "*", MANY, "/weights-bridge")) {
            job.awaitLog("Iteration 2 begins");
            List<ProcessHandle> before = job.executors();
            bridge.replace();
            job.awaitLog("Subscribed again");
            assertThat(job.executors()).as("executors run on").containsExactlyInAnyOrderElementsOf(before);
            before.get(0).destroyForcibly();
            job.awaitLog("has ended: TASK_FAILED");
            job.awaitSuccess();
        }
        assertWeights("/weights-bridge", MANY);
    }

    @Test
    void aNodeIsLost() throws Exception {
        try (SparkJob job = regression("node", "*", MANY, "/weights-node")) {
            job.awaitLog("Iteration 2 begins");
            Matcher launch =
                    Pattern.compile("Launching executor 0 of .* on (\\S+)").matcher(job.log());
            assertThat(launch.find()).isTrue();
            ClusterNode node = cluster.node(launch.group(1));
            node.stop();
            job.awaitLog("has ended: TASK_LOST");
            assertThat(job.log()).as("failures that count").doesNotContain("has ended: TASK_FAILED");
            job.awaitSuccess();
            node.restart();
        }
        assertWeights("/weights-node", MANY);
    }

    @Test
    void dynamicAllocationGivesExecutorsBackBetweenStages() throws Exception {
        int tasks = 24;
        try (SparkJob job = new SparkJob(directory, "dynamic")
                .set("spark.cores.max", "4")
                .set("spark.dynamicAllocation.enabled", "true")
                .set("spark.dynamicAllocation.shuffleTracking.enabled", "true")
                .set("spark.dynamicAllocation.executorIdleTimeout", "3s")
                .set("spark.dynamicAllocation.shuffleTracking.timeout", "3s")
                .work(address(), tasks, 1_000, 30_000, "/dynamic")) {
            Await.until("four executors", LONG, () -> job.executors().size() == 4, SparkOnOffersIT::allocated);
            Await.until(
                    "no container while the job idles",
                    LONG,
                    () -> allocated().equals("0 containers"),
                    SparkOnOffersIT::allocated);
            assertThat(files().exists(new org.apache.hadoop.fs.Path("/dynamic")))
                    .as("the job is over")
                    .isFalse();
            assertThat(job.executors()).isEmpty();
            job.awaitSuccess();
        }
        assertThat(read("/dynamic")).isEqualTo("sum=" + tasks * (tasks + 1) / 2 + " groups=5 rows=10\n");
    }

    @Test
    void anExecutorLeavesWhenTheClusterWantsItsResourcesBack() throws Exception {
        try (SparkJob holder = large("holder", "a")
                .example(address(), "LogisticRegression", "/points", PARTITIONS, 2 * MANY, "/weights-holder")) {
            holder.awaitLog("Launching executor 2 ").awaitLog("Iteration 2 begins");
            try (SparkJob newcomer = large("newcomer", "b")
                    .set("spark.cores.max", "4")
                    .example(address(), "LogisticRegression", "/points", 4, 2, "/weights-newcomer")) {
                holder.awaitLog("The cluster wants the resources of executor");
                newcomer.awaitSuccess();
            }
            holder.awaitSuccess();
            assertThat(holder.log())
                    .contains("has ended: TASK_FINISHED")
                    .doesNotContain("REASON_CONTAINER_PREEMPTED")
                    .doesNotContain("has ended: TASK_FAILED");
        }
        assertWeights("/weights-holder", 2 * MANY);
        assertWeights("/weights-newcomer", 2);
    }

    @Test
    void aBridgeWithTlsKnowsItByItsSecret() throws Exception {
        Path home = Files.createDirectory(directory.resolve("secure"));
        Path keyStore = home.resolve("bridge.p12");
        Path certificate = home.resolve("bridge.pem");
        Path trustStore = home.resolve("trust.p12");
        String san = "san=ip:127.0.0.1";
        keytool("-genkeypair", "-keyalg", "EC", "-dname", "CN=bridge", "-ext", san, "-keystore", keyStore);
        keytool("-exportcert", "-rfc", "-keystore", keyStore, "-file", certificate);
        keytool("-importcert", "-noprompt", "-file", certificate, "-keystore", trustStore);
        String secret = "a long enough secret";
        Path principals = Files.writeString(
                home.resolve("principals"),
                "heddle-credentials 1\n"
                        + Credentials.line("analytics", secret.toCharArray(), System.getProperty("user.name")) + "\n");
        Files.setPosixFilePermissions(principals, PosixFilePermissions.fromString("rw-------"));
        List<String> keys = List.of(
                "heddle.bridge.auth.file=" + principals,
                "heddle.bridge.tls.keystore=" + keyStore,
                "heddle.bridge.tls.password.file=" + Files.writeString(home.resolve("password"), PASSWORD));
        try (BridgeProcess secure = new BridgeProcess(cluster, home, home.resolve("state"), keys)) {
            secure.awaitReady();
            String address = "127.0.0.1:" + secure.address().getPort();
            Path guess = Files.writeString(home.resolve("guess"), "a guess of the secret");
            try (SparkJob job = secured("guessed", trustStore, guess)
                    .example(address, "LogisticRegression", "/points", 3, 2, "/weights-guessed")) {
                assertThat(job.awaitEnd()).isNotZero();
                assertThat(job.log()).contains("401");
            }
            try (SparkJob job = secured("secured", trustStore, Files.writeString(home.resolve("secret"), secret))
                    .example(address, "LogisticRegression", "/points", PARTITIONS, ITERATIONS, "/weights-secured")) {
                job.awaitSuccess();
                assertThat(job.log()).as("the log").doesNotContain(secret);
            }
        }
        assertWeights("/weights-secured", ITERATIONS);
    }

    private static SparkJob secured(String name, Path trustStore, Path secret) {
        return new SparkJob(directory, name)
                .set("spark.cores.max", "3")
                .set("spark.offers.tls", "true")
                .set("spark.offers.trustStore", trustStore.toString())
                .set("spark.offers.trustStorePassword", PASSWORD)
                .set("spark.offers.principal", "analytics")
                .set("spark.offers.secretFile", secret.toString());
    }

    /** With the stores' password. */
    private static void keytool(Object... words) throws Exception {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString()));
        Arrays.stream(words).map(Object::toString).forEach(command::add);
        command.addAll(List.of("-alias", "bridge", "-storetype", "PKCS12", "-storepass", PASSWORD));
        Program.run(directory, Duration.ofMinutes(1), command);
    }

    @Test
    void whatCannotWorkIsRefusedAtOnce() throws Exception {
        try (SparkJob job = new SparkJob(directory, "large")
                .set("spark.executor.memory", "64g")
                .example(address(), "KMeans", "/points", 1, 1, "/none", 2)) {
            assertThat(job.awaitEnd()).isNotZero();
            assertThat(job.log()).contains("and no node is that large (the most are 4 cores and 4096 MiB)");
        }
        try (SparkJob job = new SparkJob(directory, "absent")
                .set("spark.offers.registrationTimeout", "2s")
                .example("127.0.0.1:1", "KMeans", "/points", 1, 1, "/none", 2)) {
            assertThat(job.awaitEnd()).isNotZero();
            assertThat(job.log()).contains("no bridge answers at 127.0.0.1:1 within 2000 ms");
        }
    }

    /** Executors that fill a node. */
    private static SparkJob large(String name, String role) {
        return new SparkJob(directory, name).set("spark.offers.role", role).set("spark.executor.cores", "4");
    }

    private static SparkJob regression(String name, String role, int iterations, String output) throws IOException {
        return new SparkJob(directory, name)
                .set("spark.cores.max", "3")
                .set("spark.offers.role", role)
                .example(address(), "LogisticRegression", "/points", PARTITIONS, iterations, output);
    }

    private static String address() {
        return "127.0.0.1:" + bridge.address().getPort();
    }

    private static String allocated() {
        return cluster.resourceManager()
                        .getResourceScheduler()
                        .getRootQueueMetrics()
                        .getAllocatedContainers() + " containers";
    }

    private static void assertWeights(String output, int iterations) throws IOException {
        double[] expected = Reference.logisticRegression(Inputs.labelled(POINTS), iterations);
        assertThat(numbers(read(output).lines().toArray(String[]::new))).containsExactly(expected, within(1e-9));
    }

    private static double[] numbers(String[] texts) {
        return Arrays.stream(texts).mapToDouble(Double::parseDouble).toArray();
    }

    private static FileSystem files() throws IOException {
        return cluster.fileSystem();
    }

    private static void write(String file, String text) throws IOException {
        try (OutputStream out = files().create(new org.apache.hadoop.fs.Path(file))) {
            out.write(text.getBytes(StandardCharsets.UTF_8));
        }
    }

    private static String read(String file) throws IOException {
        try (InputStream in = files().open(new org.apache.hadoop.fs.Path(file))) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
