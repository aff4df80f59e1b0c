// SPDX-License-Identifier: Apache-2.0
package org.heddle.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * docs/federation.md: two sub-clusters, of one node and of two, with our scheduler in each, behind Hadoop's Router.
 * Queue a is in the small one only, b and c are in both; their weights are 1, 2 and 3.
 */
@Order(96)
@Execution(ExecutionMode.CONCURRENT)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
@ExtendWith(KeepLogs.class)
@Tag("long-1")
class FederationIT {
    private static final String BOTH = """
        <heddle-scheduler version="1">
          <queue name="root">
            <queue name="b"><weight>2</weight></queue>
            <queue name="c"><weight>3</weight></queue>
          </queue>
        </heddle-scheduler>
        """;
    private static final String WITH_A =
            BOTH.replace("<queue name=\"b\">", "<queue name=\"a\"><weight>1</weight></queue>\n    <queue name=\"b\">");
    private static final double FIVE_POINTS = 0.05;
    private static final String CAPACITY =
            "org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler";

    private static HadoopHome home;
    private static Federation federation;
    private static FederationShares shares;
    private static final List<String> load = new ArrayList<>();

    @BeforeAll
    static void start() throws Exception {
        home = HadoopHome.assemble(HadoopHome.Line.HADOOP_3_4);
        Distribution.unpack().install(home, "drf");
        federation = new Federation(home, WITH_A, BOTH, 1, 2);
        federation.startRouter();
        shares = new FederationShares(federation);
    }

    @AfterAll
    static void end() throws Exception {
        if (federation != null) {
            federation.close();
        }
        SourceTree.delete(home.path());
    }

    /** Half of the requests of root.b go to each, by a policy that an administrator saves with Hadoop's command. */
    @Test
    @Order(1)
    @Execution(ExecutionMode.SAME_THREAD)
    void aJobThroughTheRouterRunsInBothSubClusters() throws Exception {
        savePolicy("root.b;sc1:0.5,sc2:0.5;sc1:0.5,sc2:0.5;0.0");
        // Its maps prefer no nodes; those of other jobs go to the sub-clusters of their nodes.
        // A node holds one of them, so that no sub-cluster has run all before the other one begins.
        federation
                .client("hadoop", "jar", home.examples(), "teragen", "-Dmapreduce.job.queuename=root.b")
                .and("-Dmapreduce.job.maps=8", "-Dmapreduce.map.memory.mb=6144", "800", "/rows")
                .as("alice")
                .run()
                .orFail();
        for (String name : Federation.NAMES) {
            JsonNode applications = federation.applications(name);
            assertThat(applications).as(name).hasSize(1);
            assertThat(applications.get(0).path("queue").asText()).as(name).isEqualTo("root.b");
            assertThat(containersRun(federation.subCluster(name)))
                    .as("containers that ran in " + name)
                    .isPositive();
        }
    }

    private static void savePolicy(String policy) throws IOException {
        federation
                .client("yarn", "routeradmin", "-policy", "--save", policy)
                .run()
                .orFail();
    }

    /** Containers that NodeManagers have started: they have written logs. */
    private static long containersRun(Cluster cluster) throws IOException {
        // Only the nodes' logs: elsewhere files come and go.
        List<Path> logs;
        try (Stream<Path> all = Files.list(cluster.directory().resolve("data"))) {
            logs = all.map(node -> node.resolve("log-dirs"))
                    .filter(Files::isDirectory)
                    .toList();
        }
        long count = 0;
        for (Path log : logs) {
            try (Stream<Path> files = Files.walk(log)) {
                count += files.filter(file -> file.toString().matches(".*/container_[^/]+/syslog"))
                        .count();
            }
        }
        return count;
    }

    /**
     * Everybody asks everywhere for more than there is. Each sub-cluster divides alone, so a has a sixth of the small
     * one.
     */
    @Test
    @Order(2)
    @Execution(ExecutionMode.SAME_THREAD)
    void withoutOurPoliciesTheWeightsHoldInEachSubClusterOnly() throws Exception {
        savePolicy("root.a;sc1:1.0,sc2:0.0;sc1:1.0,sc2:0.0;0.0"); // elsewhere it would be refused
        submit("a", 100, 128, 1);
        submit("b", 150, 128, 1);
        submit("b", 150, 128, 1);
        submit("c", 150, 128, 1);
        submit("c", 150, 128, 1);

        shares.await(Map.of("a", 1 / 18.0, "b", 17 / 45.0, "c", 17 / 30.0), FIVE_POINTS);
        assertThat(shares.next().get("a"))
                .as("a sixth of the whole would be 0.167")
                .isLessThan(1 / 6.0 - FIVE_POINTS);
    }

    @Test
    @Order(3)
    @Execution(ExecutionMode.SAME_THREAD)
    void withOurPoliciesTheWeightsHoldOverTheWhole() throws Exception {
        federation.startPolicyGenerator();

        Map<String, Double> fair = Map.of("a", 1 / 6.0, "b", 2 / 6.0, "c", 3 / 6.0);
        shares.awaitTwice(fair, FIVE_POINTS);
        assertThat(documented(0)).contains("heddle-weights:root.a", "root.c");
    }

    /** The rows of the Router's list, which prints its log too. */
    private static List<String> policies() throws IOException {
        return documented(0).lines().filter(line -> line.startsWith("|")).toList();
    }

    /** What a command of docs/federation.md prints. */
    private static String documented(int number) throws IOException {
        String[] words = Documented.commandsOf("FederationIT").get(number).split(" ", -1);
        return federation
                .client(words[0], (Object[]) Arrays.copyOfRange(words, 1, words.length))
                .run()
                .orFail()
                .text();
    }

    /**
     * Memory for b, cores for c, a in the middle: the cores are used up first, when a, b and c have 2, 4 and 6 ninths
     * of what each needs most.
     */
    @Test
    @Order(4)
    @Execution(ExecutionMode.SAME_THREAD)
    void dominantSharesAreByWeightOverTheWhole() throws Exception {
        kill();
        submit("a", 200, 128, 1);
        submit("b", 60, 512, 1);
        submit("c", 60, 128, 4);

        Map<String, Double> fair = Map.of("a", 2 / 9.0, "b", 4 / 9.0, "c", 6 / 9.0);
        shares.awaitTwice(fair, FIVE_POINTS);
    }

    /** It is named in the log, and the others' weights stay. */
    @Test
    @Order(5)
    @Execution(ExecutionMode.SAME_THREAD)
    void aSubClusterThatDoesNotAnswerLeavesTheLastPolicies() throws Exception {
        Cluster first = federation.subCluster("sc1");
        Cluster second = federation.subCluster("sc2");
        Daemon policies = first.daemon("policies");
        double before = Queues.find(first, "root.a").path("weight").asDouble();
        second.daemon("rm1").kill();
        first.await("the policy generator to miss sc2", () -> policies.output().contains("sub-cluster sc2 at http://"));
        assertThat(policies.output()).contains("stay as they are until this changes");
        List<String> records = policies();
        assertThat(Queues.find(first, "root.a").path("weight").asDouble()).isCloseTo(before, within(1e-6));

        second.set("yarn.resourcemanager.scheduler.class", CAPACITY);
        second.set("yarn.scheduler.capacity.root.queues", "b,c");
        second.set("yarn.scheduler.capacity.root.b.capacity", "40");
        second.set("yarn.scheduler.capacity.root.c.capacity", "60");
        second.daemon("rm1").start();
        first.await(
                "the policy generator to name the other scheduler",
                () -> policies.output().contains("runs CapacityScheduler, which does not answer this"));
        assertThat(policies()).isEqualTo(records);
        assertThat(Queues.find(first, "root.a").path("weight").asDouble()).isCloseTo(before, within(1e-6));
    }

    @Test
    @Order(6)
    @Execution(ExecutionMode.SAME_THREAD)
    void withoutTheGeneratorAndItsRecordsTheConfiguredWeightsHoldAgain() throws Exception {
        Cluster first = federation.subCluster("sc1");
        first.daemon("policies").stop();

        documented(1);

        first.await(
                "the configured weight of root.a",
                () -> Queues.find(first, "root.a").path("weight").asDouble() == 1);
    }

    /**
     * An application that asks for so many containers and keeps each for twelve seconds: on a busy machine half a
     * second goes by between one container and the next.
     */
    private static void submit(String queue, int count, int megabytes, int vcores) throws IOException {
        String hadoop =
                federation.client("hadoop", "classpath").run().orFail().out().strip();
        String out = federation
                .client("hadoop", "Turnover", "submit", "root." + queue, count, megabytes, vcores, 12_000)
                .with("HADOOP_CLASSPATH", Sources.compile("Turnover.java", hadoop))
                .as("alice")
                .run()
                .orFail()
                .out();
        load.add(out.lines()
                .filter(line -> line.startsWith("submitted "))
                .findFirst()
                .orElseThrow()
                .substring("submitted ".length()));
    }

    /**
     * In each sub-cluster: the Router kills an application where it is at home, and what it has elsewhere stays for
     * minutes. An application that is being started may come to another sub-cluster meanwhile, so this looks again
     * until all have ended.
     */
    private static void kill() {
        federation.subCluster("sc2").await("the applications to be killed in both sub-clusters", () -> {
            boolean ended = true;
            for (String name : Federation.NAMES) {
                for (JsonNode application : federation.applications(name)) {
                    String id = application.path("id").asText();
                    if (load.contains(id) && !application.path("state").asText().equals("KILLED")) {
                        ended = false;
                        federation
                                .subCluster(name)
                                .client("yarn", "application", "-kill", id)
                                .as("alice")
                                .run()
                                .orFail();
                    }
                }
                JsonNode root =
                        federation.subCluster(name).rest("/heddle/v1/scheduler").path("root");
                ended &= root.path("runningContainers").asInt() == 0;
            }
            return ended;
        });
        load.clear();
    }
}
