// SPDX-License-Identifier: Apache-2.0
package org.heddle.drf;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.ToLongFunction;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.JobCounter;
import org.apache.hadoop.mapreduce.JobStatus;
import org.apache.hadoop.mapreduce.TaskCompletionEvent;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.yarn.api.protocolrecords.ReservationSubmissionRequest;
import org.apache.hadoop.yarn.api.records.ReservationDefinition;
import org.apache.hadoop.yarn.api.records.ReservationId;
import org.apache.hadoop.yarn.api.records.ReservationRequest;
import org.apache.hadoop.yarn.api.records.ReservationRequestInterpreter;
import org.apache.hadoop.yarn.api.records.ReservationRequests;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.client.api.YarnClient;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.heddle.testkit.Await;
import org.heddle.testkit.ProcessCluster;
import org.heddle.testkit.jobs.HeldMaps;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Daemons that are processes, and killed: MapReduce jobs of two queues are in full swing when first the active
 * ResourceManager and then a NodeManager end by {@code kill -9}. A reservation and a change of the configuration
 * outlive them. Maps end when they are let go and not by the clock, and no node is given up because it starts slowly:
 * so nothing here depends on how busy the machine is. {@code -Dheddle.repeat=20} does it all twenty times, each time on
 * a new cluster; in every third round the node does not come back, and in the one after that it comes back after it was
 * given up.
 */
@Tag("long-1")
@Tag("newer-line")
class TwoManagersIT {
    private static final int CONTAINER_MB = 512;
    private static final int NODE_MB = 5 * CONTAINER_MB;
    /** So many that each job has enough left to reach its share, whichever of the two filled the cluster first. */
    private static final int LARGE_MAPS = 14;

    private static final int SMALL_MAPS = 11;
    /** Two to one, of the ten containers that there is room for; at six to three the next may go to either. */
    private static final Set<Map<String, Long>> SHARES = Set.of(
            Map.of("root.large", 7L * CONTAINER_MB, "root.small", 3L * CONTAINER_MB, "root.later", 0L),
            Map.of("root.large", 6L * CONTAINER_MB, "root.small", 4L * CONTAINER_MB, "root.later", 0L));

    /** How the first container of an application's first attempt is called: its master's. */
    private static final String MASTER = "_01_000001";

    private static final long HOUR = 3_600_000;
    private static final Pattern JAVA_OF_CONTAINERS =
            Pattern.compile(" org\\.apache\\.[a-z0-9.]+\\.(YarnChild|MRAppMaster)");
    private static final Duration PATIENCE = Duration.ofMinutes(4);
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String TWO_TO_ONE = "<sched-conf><update-queue><queue-name>root.large</queue-name><params>"
            + "<entry><key>weight</key><value>2</value></entry></params></update-queue></sched-conf>";
    private static final String QUEUES = "<heddle-scheduler version=\"1\"><queue name=\"root\">"
            + "<queue name=\"large\"/><queue name=\"small\"/>"
            + "<queue name=\"later\"><plan/></queue></queue></heddle-scheduler>";

    /** What becomes of a node whose daemon is killed. */
    private enum Node {
        COMES_BACK,
        IS_LOST,
        COMES_BACK_LATE
    }

    static Stream<Arguments> rounds() {
        return IntStream.rangeClosed(1, Integer.getInteger("heddle.repeat", 1))
                .mapToObj(round -> Arguments.of(round, Node.values()[(round - 1) % Node.values().length]));
    }

    @ParameterizedTest(name = "round {0}: the node {1}")
    @MethodSource("rounds")
    void jobsSurviveTheKillOfTheActiveManagerAndOfANode(int round, Node node) throws Exception {
        ProcessCluster.Builder plan = ProcessCluster.builder()
                .scheduler(DrfScheduler.class.getName())
                .queuesFile("yarn.scheduler.heddle.configuration.file", QUEUES)
                .property("yarn.scheduler.heddle.configuration.mutable", "true")
                .property("yarn.resourcemanager.reservation-system.enable", "true")
                .property("yarn.scheduler.heddle.usage.directory", "hdfs:///heddle/usage")
                .nodes(2, NODE_MB, 8);
        boolean givenUp = node != Node.COMES_BACK;
        if (givenUp) {
            // Longer than the other node may be without a processor.
            plan.property(YarnConfiguration.RM_NM_EXPIRY_INTERVAL_MS, "60000");
        }
        try (ProcessCluster cluster = plan.start()) {
            // 1. A weight is changed over the network, one container of the two that its queue is due is reserved, and
            // two jobs fill the cluster and want more
            change(cluster, TWO_TO_ONE);
            ReservationId reservation = reserve(cluster);
            awaitItsPart(cluster, reservation);
            Path held = cluster.home().resolve("held");
            Job large = submit(cluster, "large", LARGE_MAPS, held);
            Job small = submit(cluster, "small", SMALL_MAPS, held);
            Await.until(
                    "all room to be used",
                    PATIENCE,
                    () -> allocatedMb(cluster, cluster.awaitActiveManager()) == 2 * NODE_MB
                            && running(cluster).size() == 2 * NODE_MB / CONTAINER_MB,
                    cluster::tails);
            Map<String, String> before = running(cluster);

            // 2. The active manager is killed, and what then becomes free is shared anew
            String first = cluster.awaitActiveManager();
            cluster.daemon(first).kill();
            String second = cluster.awaitActiveManager();
            assertThat(second).isNotEqualTo(first);
            assertThat(stillThere(cluster, before))
                    .as("containers that did not notice")
                    .isNotEmpty();
            Await.until(
                    "the other manager to know every container that runs",
                    PATIENCE,
                    () -> {
                        neverTooMuch(cluster);
                        return known(cluster, cluster.awaitActiveManager())
                                .keySet()
                                .containsAll(before.keySet());
                    },
                    () -> "runs: " + running(cluster) + ", known: " + known(cluster, cluster.awaitActiveManager()));
            // A master that has not registered again asks for nothing, and the other one would keep all that becomes
            // free.
            Await.until(
                    "both jobs to ask the other manager for more",
                    PATIENCE,
                    () -> pending(cluster).getOrDefault("root.large", 0L) > 0
                            && pending(cluster).getOrDefault("root.small", 0L) > 0,
                    () -> "pending: " + pending(cluster) + "; " + cluster.tails());
            HeldMaps.letGo(held, before.keySet());
            Set<String> letGo = new TreeSet<>(before.keySet());
            letGo.removeIf(id -> id.endsWith(MASTER));
            Await.until(
                    "the other manager to share two to one, without the maps that were let go",
                    PATIENCE,
                    () -> {
                        neverTooMuch(cluster);
                        return SHARES.contains(usage(cluster))
                                && Collections.disjoint(
                                        known(cluster, cluster.awaitActiveManager())
                                                .keySet(),
                                        letGo)
                                && Collections.disjoint(running(cluster).keySet(), letGo);
                    },
                    () -> usage(cluster) + "; let go: " + letGo + ", run: "
                            + running(cluster).keySet() + "; "
                            + cluster.daemon(second).tail());

            awaitItsPart(cluster, reservation);

            // 3. A node's daemon is killed and comes back, or the whole node is lost
            cluster.daemon(first).start();
            switch (node) {
                case COMES_BACK -> comesBack(cluster);
                case IS_LOST -> {
                    cluster.lose("node1");
                    awaitGivenUp(cluster);
                }
                case COMES_BACK_LATE -> comesBackLate(cluster);
            }

            // 4. Everything ends well
            HeldMaps.letAllGo(held);
            for (Job job : List.of(large, small)) {
                Await.until(
                        job.getJobName() + " to end",
                        PATIENCE,
                        () -> {
                            neverTooMuch(cluster, !givenUp);
                            return job.isComplete();
                        },
                        cluster::tails);
                assertThat(job.getStatus().getState()).isEqualTo(JobStatus.State.SUCCEEDED);
                if (!givenUp) {
                    assertThat(counter(job, JobCounter.NUM_FAILED_MAPS))
                            .as(() -> troubles(job))
                            .isZero();
                    assertThat(counter(job, JobCounter.NUM_KILLED_MAPS))
                            .as(() -> troubles(job))
                            .isZero();
                    assertThat(counter(job, JobCounter.TOTAL_LAUNCHED_MAPS))
                            .isEqualTo(job == large ? LARGE_MAPS : SMALL_MAPS);
                }
            }
            String active = cluster.awaitActiveManager();
            Await.until("nothing to be allocated", PATIENCE, () -> allocatedMb(cluster, active) == 0, cluster::tails);
            for (JsonNode app : apps(cluster, active)) {
                assertThat(attempts(cluster, active, app.path("id").asText())).hasSizeBetween(1, givenUp ? 2 : 1);
            }
            assertThat(accounted(cluster, active).values())
                    .as("MiB seconds of the two jobs, over both managers")
                    .hasSize(2)
                    .allSatisfy(seconds -> assertThat(seconds).isPositive());
            for (JsonNode app : apps(cluster, active)) {
                // YARN forgets what ended under the killed manager; the accounting at most its last minute.
                assertThat(accounted(cluster, active).get(app.path("id").asText()))
                        .isGreaterThan(0.95 * app.path("memorySeconds").asLong());
            }
            assertThat(usage(cluster)).containsEntry("root.large", 0L).containsEntry("root.small", 0L);
        }
    }

    /** The daemon of a node is killed; its containers do not notice, and it finds them again. */
    private static void comesBack(ProcessCluster cluster) throws IOException {
        Map<String, String> before = awaitStarted(cluster);
        cluster.daemon("node1").kill();
        cluster.daemon("node1").start();
        Await.until(
                "the node to report its containers again",
                PATIENCE,
                () -> running(cluster).keySet().containsAll(before.keySet()),
                () -> "ran: " + before.keySet() + ", run: " + running(cluster).keySet() + "; "
                        + cluster.daemon("node1").tail());
        Await.until(
                "the manager to know all of them still",
                PATIENCE,
                () -> {
                    neverTooMuch(cluster);
                    return known(cluster, cluster.awaitActiveManager()).keySet().containsAll(before.keySet());
                },
                cluster::tails);
    }

    /**
     * The daemon comes back after its node was given up. It finds its containers again and reports them, but Hadoop
     * does not tell schedulers of them ({@code RejoinedNodeTest}): so others are placed beside them until they have
     * been killed, whatever the scheduler. In the end the node runs no more than it has room for.
     */
    private static void comesBackLate(ProcessCluster cluster) throws IOException {
        Map<String, String> before = awaitStarted(cluster);
        cluster.daemon("node1").kill();
        awaitGivenUp(cluster);
        cluster.daemon("node1").start();
        Await.until(
                "the node to run only what was placed on it since",
                PATIENCE,
                () -> {
                    neverTooMuch(cluster, false);
                    Set<String> runs = running(cluster).keySet();
                    return before.keySet().stream().noneMatch(runs::contains)
                            && memoryOfContainers(cluster, "node1") == NODE_MB;
                },
                cluster::tails);
        neverTooMuch(cluster);
    }

    private static void awaitGivenUp(ProcessCluster cluster) {
        Await.until(
                "the node to be given up",
                PATIENCE,
                () -> nodes(cluster, cluster.awaitActiveManager()).stream()
                                .filter(node -> node.path("state").asText().equals("RUNNING"))
                                .count()
                        == 1,
                cluster::tails);
    }

    /**
     * The containers of node1, once each has its process: a NodeManager that is killed loses one that it is starting.
     */
    private static Map<String, String> awaitStarted(ProcessCluster cluster) {
        Map<String, String> started = new TreeMap<>();
        Await.until(
                "every container of the node to have its process",
                PATIENCE,
                () -> {
                    started.clear();
                    for (JsonNode container : containersOf(cluster, "node1")) {
                        started.put(
                                container.path("id").asText(),
                                container.path("state").asText());
                    }
                    started.values().removeIf("DONE"::equals);
                    return started.size() == NODE_MB / CONTAINER_MB
                            && started.values().stream().allMatch("RUNNING"::equals)
                            && stillThere(cluster, started).equals(started.keySet());
                },
                started::toString);
        return started;
    }

    private static void change(ProcessCluster cluster, String change) throws Exception {
        URI address = cluster.managerUri(
                cluster.awaitActiveManager(),
                "/ws/v1/cluster/scheduler-conf?user.name="
                        + UserGroupInformation.getCurrentUser().getShortUserName());
        HttpResponse<String> answer = HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(address)
                                .header("Content-Type", "application/xml")
                                .PUT(HttpRequest.BodyPublishers.ofString(change))
                                .build(),
                        HttpResponse.BodyHandlers.ofString());
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    }

    /** One container, for an hour from now. */
    private static ReservationId reserve(ProcessCluster cluster) throws Exception {
        try (YarnClient client = YarnClient.createYarnClient()) {
            client.init(cluster.configuration());
            client.start();
            ReservationId id = client.createReservation().getReservationId();
            Await.until("the plan to have seen the nodes, as it does every second", PATIENCE, () -> {
                client.submitReservation(ReservationSubmissionRequest.newInstance(anHour(), "later", id));
                return true;
            });
            return id;
        }
    }

    /** Plans count in whole seconds. */
    private static ReservationDefinition anHour() {
        long now = System.currentTimeMillis() / 1_000 * 1_000;
        ReservationRequest one = ReservationRequest.newInstance(Resource.newInstance(CONTAINER_MB, 1), 1, 1, HOUR);
        return ReservationDefinition.newInstance(
                now,
                now + HOUR,
                ReservationRequests.newInstance(List.of(one), ReservationRequestInterpreter.R_ALL),
                "later");
    }

    /** The active manager has the reservation's queue, which weighs what it has of the plan: one container of 2.5. */
    private static void awaitItsPart(ProcessCluster cluster, ReservationId reservation) {
        Map<String, Double> weights = new TreeMap<>();
        Await.until(
                "the active manager to know the reservation",
                PATIENCE,
                () -> {
                    weights.clear();
                    json(cluster, cluster.managerUri(cluster.awaitActiveManager(), "/heddle/v1/scheduler"))
                            .path("root")
                            .path("children")
                            .forEach(queue -> queue.path("children")
                                    .forEach(child -> weights.put(
                                            child.path("path").asText(),
                                            child.path("weight").asDouble())));
                    return Math.abs(weights.getOrDefault("root.later." + reservation, 0.0) - 0.4) < 0.001;
                },
                weights::toString);
    }

    private static Job submit(ProcessCluster cluster, String queue, int maps, Path held) throws Exception {
        Configuration conf = cluster.configuration();
        conf.set("mapreduce.job.queuename", queue);
        conf.setInt("yarn.app.mapreduce.am.resource.mb", CONTAINER_MB);
        // A master tries to reach the daemon of a lost node for three minutes otherwise; longer than its restart takes.
        conf.setInt(YarnConfiguration.CLIENT_NM_CONNECT_MAX_WAIT_MS, 30_000);
        Job job = HeldMaps.job(conf, queue, maps, held);
        job.submit();
        return job;
    }

    /** What became of attempts that did not succeed. */
    private static String troubles(Job job) {
        StringBuilder troubles = new StringBuilder(job.getJobName());
        try {
            for (TaskCompletionEvent event : job.getTaskCompletionEvents(0, 1_000)) {
                if (event.getStatus() != TaskCompletionEvent.Status.SUCCEEDED) {
                    troubles.append("; ").append(event).append(": ");
                    troubles.append(String.join(" ", job.getTaskDiagnostics(event.getTaskAttemptId())));
                }
            }
        } catch (IOException | InterruptedException e) {
            troubles.append("; ").append(e);
        }
        return troubles.toString();
    }

    private static long counter(Job job, JobCounter counter) throws IOException {
        return job.getCounters().findCounter(counter).getValue();
    }

    // ---- what the nodes say ----

    /** Containers that run, with their nodes, as the nodes that answer see it. */
    private static Map<String, String> running(ProcessCluster cluster) {
        Map<String, String> found = new TreeMap<>();
        for (String node : cluster.nodes()) {
            for (JsonNode container : containersOf(cluster, node)) {
                if (container.path("state").asText().equals("RUNNING")) {
                    found.put(container.path("id").asText(), node);
                }
            }
        }
        return found;
    }

    private static List<JsonNode> containersOf(ProcessCluster cluster, String node) {
        try {
            return list(json(cluster, cluster.nodeUri(node, "/ws/v1/node/containers"))
                    .path("containers")
                    .path("container"));
        } catch (IOException e) {
            return List.of(); // just killed, or not yet up
        }
    }

    /** Of these containers, those whose processes have not ended. */
    private static Set<String> stillThere(ProcessCluster cluster, Map<String, String> containers) {
        Set<String> alive = new TreeSet<>();
        ProcessHandle.allProcesses()
                .map(process -> process.info().commandLine().orElse(""))
                .forEach(command -> containers.keySet().stream()
                        .filter(id -> command.contains(id)
                                && JAVA_OF_CONTAINERS.matcher(command).find()
                                && command.contains(cluster.home().toString()))
                        .forEach(alive::add));
        return alive;
    }

    /** No node runs more than it has room for, whoever allocated it. */
    private static void neverTooMuch(ProcessCluster cluster) throws IOException {
        neverTooMuch(cluster, true);
    }

    /** @param asNodesSeeIt whether what the nodes say counts too, beside what the manager has placed on them */
    private static void neverTooMuch(ProcessCluster cluster, boolean asNodesSeeIt) throws IOException {
        for (String node : asNodesSeeIt ? cluster.nodes() : List.<String>of()) {
            assertThat(memoryOfContainers(cluster, node))
                    .as("MB of containers on %s", node)
                    .isLessThanOrEqualTo(NODE_MB);
        }
        String manager = cluster.activeManager();
        if (manager != null) {
            for (JsonNode node : nodes(cluster, manager)) {
                assertThat(node.path("usedMemoryMB").asLong())
                        .as("MB allocated on %s", node.path("id"))
                        .isLessThanOrEqualTo(NODE_MB);
                assertThat(node.path("availMemoryMB").asLong()).isNotNegative();
            }
        }
    }

    private static long memoryOfContainers(ProcessCluster cluster, String node) {
        return containersOf(cluster, node).stream()
                .filter(container -> !container.path("state").asText().equals("DONE"))
                .mapToLong(container -> container.path("totalMemoryNeededMB").asLong())
                .sum();
    }

    // ---- what the managers say ----

    private static List<JsonNode> nodes(ProcessCluster cluster, String manager) throws IOException {
        return list(json(cluster, cluster.managerUri(manager, "/ws/v1/cluster/nodes"))
                .path("nodes")
                .path("node"));
    }

    private static List<JsonNode> apps(ProcessCluster cluster, String manager) throws IOException {
        return list(json(cluster, cluster.managerUri(manager, "/ws/v1/cluster/apps"))
                .path("apps")
                .path("app"));
    }

    private static List<JsonNode> attempts(ProcessCluster cluster, String manager, String app) throws IOException {
        return list(json(cluster, cluster.managerUri(manager, "/ws/v1/cluster/apps/" + app + "/appattempts"))
                .path("appAttempts")
                .path("appAttempt"));
    }

    private static long allocatedMb(ProcessCluster cluster, String manager) throws IOException {
        return json(cluster, cluster.managerUri(manager, "/ws/v1/cluster/metrics"))
                .path("clusterMetrics")
                .path("allocatedMB")
                .asLong();
    }

    /** Live containers, with their nodes, as a manager knows them. */
    private static Map<String, String> known(ProcessCluster cluster, String manager) {
        Map<String, String> found = new TreeMap<>();
        try {
            for (JsonNode app : apps(cluster, manager)) {
                String id = app.path("id").asText();
                for (JsonNode attempt : attempts(cluster, manager, id)) {
                    String path = "/ws/v1/cluster/apps/" + id + "/appattempts/"
                            + attempt.path("appAttemptId").asText() + "/containers";
                    list(json(cluster, cluster.managerUri(manager, path)).path("container"))
                            .forEach(container -> found.put(
                                    container.path("containerId").asText(),
                                    container.path("assignedNodeId").asText()));
                }
            }
        } catch (IOException e) {
            return Map.of(); // in the middle of taking over
        }
        return found;
    }

    /** MiB seconds of each application, as the scheduler accounts them. */
    private static Map<String, Double> accounted(ProcessCluster cluster, String manager) throws IOException {
        Map<String, Double> seconds = new TreeMap<>();
        json(cluster, cluster.managerUri(manager, "/heddle/v1/usage?by=application"))
                .path("usage")
                .forEach(line -> seconds.put(
                        line.path("application").asText(),
                        line.path("resourceSeconds").path("memory-mb").asDouble()));
        return seconds;
    }

    /** MB that each queue uses, as the scheduler itself tells it. */
    private static Map<String, Long> usage(ProcessCluster cluster) {
        return ofQueues(cluster, queue -> queue.path("usage").path("memory-mb").asLong());
    }

    /** Containers that each queue asks for and has not got. */
    private static Map<String, Long> pending(ProcessCluster cluster) {
        return ofQueues(cluster, queue -> queue.path("pendingContainers").asLong());
    }

    private static Map<String, Long> ofQueues(ProcessCluster cluster, ToLongFunction<JsonNode> value) {
        Map<String, Long> found = new TreeMap<>();
        try {
            json(cluster, cluster.managerUri(cluster.awaitActiveManager(), "/heddle/v1/scheduler"))
                    .path("root")
                    .path("children")
                    .forEach(queue -> found.put(queue.path("path").asText(), value.applyAsLong(queue)));
        } catch (IOException e) {
            return Map.of(); // in the middle of taking over
        }
        return found;
    }

    private static JsonNode json(ProcessCluster cluster, URI address) throws IOException {
        return JSON.readTree(cluster.get(address));
    }

    private static List<JsonNode> list(JsonNode array) {
        List<JsonNode> items = new ArrayList<>();
        if (array.isArray()) {
            array.forEach(items::add);
        } else if (array.isObject()) {
            items.add(array); // some of Hadoop's lists of one are no lists
        }
        return items;
    }
}
