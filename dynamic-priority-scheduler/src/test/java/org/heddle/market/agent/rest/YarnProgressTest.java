// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.agent.rest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.heddle.market.agent.JobProgress;
import org.heddle.market.agent.MarketView;
import org.heddle.settings.web.Negotiation;
import org.heddle.settings.web.WebClient;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Answers in the form of YARN's, MapReduce's and Spark's REST. */
class YarnProgressTest {
    private static final String ID = "application_1_0001";
    private static final MarketView MARKET = new MarketView(0, 0, 1_000, 3_600_000, 50, 1, 1, 1, 4, 2, 9, 100, 0, 0);

    private final Map<String, String> answers = new HashMap<>();
    private HttpServer server;
    private volatile boolean kerberos;
    private YarnRest yarn;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            String proof = exchange.getRequestHeaders().getFirst("Authorization");
            if (kerberos && !"Negotiate ticket-for-localhost".equals(proof)) {
                exchange.getResponseHeaders().add("WWW-Authenticate", "Negotiate");
                exchange.sendResponseHeaders(401, -1);
                exchange.close();
                return;
            }
            String body = answers.get(exchange.getRequestURI().getPath());
            byte[] bytes = body == null ? new byte[0] : body.getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(body == null ? 404 : 200, bytes.length == 0 ? -1 : bytes.length);
            exchange.getResponseBody().write(bytes);
            exchange.close();
        });
        server.start();
        yarn = rest(
                host -> "Negotiate ticket-for-" + host,
                URI.create("http://localhost:1"),
                URI.create("http://localhost:" + server.getAddress().getPort()));
        // 100 GB are 50 slots: a slot has 2 GB.
        answers.put("/ws/v1/cluster/metrics", "{\"clusterMetrics\":{\"totalMB\":102400,\"totalVirtualCores\":400}}");
    }

    private static YarnRest rest(Negotiation tickets, URI... addresses) {
        return new YarnRest(new WebClient(List.of(addresses), Duration.ofSeconds(10), "")
                .as("alice")
                .with(tickets));
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    private void app(String type, String state, double progress) {
        answers.put(
                "/ws/v1/cluster/apps/" + ID,
                "{\"app\":{\"state\":\"" + state + "\",\"applicationType\":\"" + type + "\",\"progress\":" + progress
                        + ",\"runningContainers\":5,\"allocatedMB\":20480,\"allocatedVCores\":5,\"memorySeconds\":4096000,"
                        + "\"vcoreSeconds\":1000}}");
    }

    private JobProgress read(double work) throws IOException {
        return new YarnProgress(yarn, () -> List.of(ID), "", work).read(MARKET);
    }

    /** Tags and names of applications are everybody's: bob's nightly job is not alice's. */
    @Test
    void onlyApplicationsInTheAccountsQueueAreFound() throws Exception {
        answers.put(
                "/ws/v1/cluster/apps",
                "{\"apps\":{\"app\":[{\"id\":\"a1\",\"queue\":\"root.alice\",\"name\":\"x\"},"
                        + "{\"id\":\"a2\",\"queue\":\"root.bob\",\"name\":\"x\"},"
                        + "{\"id\":\"a3\",\"queue\":\"alice\",\"name\":\"y\"}]}}");
        assertThat(yarn.unfinished("alice", "nightly", null)).containsExactly("a1", "a3");
        assertThat(yarn.unfinished("root.alice", null, "x")).containsExactly("a1");
        assertThat(yarn.unfinished("carol", "nightly", null)).isEmpty();
        answers.put("/ws/v1/cluster/apps", "{\"apps\":null}");
        assertThat(yarn.unfinished("alice", "nightly", null)).isEmpty();
    }

    @Test
    void tasksOfMapReduce() throws Exception {
        app("MAPREDUCE", "RUNNING", 40);
        String master = "/proxy/" + ID + "/ws/v1/mapreduce/jobs";
        answers.put(master, "{\"jobs\":{\"job\":[{\"id\":\"job_1_0001\"}]}}");
        answers.put(
                master + "/job_1_0001/tasks",
                "{\"tasks\":{\"task\":[" + task("MAP", "SUCCEEDED", 80_000, 100) + ","
                        + task("MAP", "SUCCEEDED", 100_000, 100)
                        + "," + task("MAP", "RUNNING", 45_000, 50) + "," + task("MAP", "SCHEDULED", 0, 0) + ","
                        + task("REDUCE", "SCHEDULED", 0, 0) + "]}}");
        JobProgress job = read(0);
        // Containers of 4 GB are 2 slots; 1.5 maps and a reduce of 90 s are left.
        assertThat(job.remaining()).isCloseTo(2.5 * 90_000 * 2, within(1.0));
        assertThat(job.width()).isEqualTo(4);
        assertThat(job.masterSlots()).isEqualTo(2);
        assertThat(job.source()).isEqualTo("2 maps and 1 reduces are left");
    }

    /** One reduce of a skewed job: what is left of it does not get shorter by more slots. */
    @Test
    void theLongestTaskThatRunsIsALowerBound() throws Exception {
        app("MAPREDUCE", "RUNNING", 90);
        String master = "/proxy/" + ID + "/ws/v1/mapreduce/jobs";
        answers.put(master, "{\"jobs\":{\"job\":[{\"id\":\"job_1_0001\"}]}}");
        answers.put(
                master + "/job_1_0001/tasks",
                "{\"tasks\":{\"task\":[" + task("REDUCE", "SUCCEEDED", 40_000, 100) + ","
                        + task("REDUCE", "RUNNING", 100_000, 60) + "," + task("REDUCE", "RUNNING", 90_000, 6) + "]}}");
        assertThat(read(0).taskMillis())
                .as("the second one may have begun anew after a failed attempt")
                .isCloseTo(90_000, within(1.0));
    }

    @Test
    void beforeATaskHasEndedItsLengthFollowsFromProgressOrIsGuessed() throws Exception {
        app("MAPREDUCE", "RUNNING", 5);
        String master = "/proxy/" + ID + "/ws/v1/mapreduce/jobs";
        answers.put(master, "{\"jobs\":{\"job\":[{\"id\":\"job_1_0001\"}]}}");
        answers.put(
                master + "/job_1_0001/tasks",
                "{\"tasks\":{\"task\":[" + task("MAP", "RUNNING", 4_000, 0) + "," + task("MAP", "SCHEDULED", 0, 0)
                        + "]}}");
        assertThat(read(0).remaining()).as("2 maps of 20 s").isCloseTo(2 * 20_000 * 2, within(1.0));
        assertThat(read(60_000).remaining()).as("the work that was given").isCloseTo(60_000, within(1.0));
        answers.put(
                master + "/job_1_0001/tasks",
                "{\"tasks\":{\"task\":[" + task("MAP", "RUNNING", 4_000, 40) + "," + task("MAP", "SCHEDULED", 0, 0)
                        + "]}}");
        assertThat(read(0).remaining()).as("1.6 maps of 10 s").isCloseTo(1.6 * 10_000 * 2, within(1.0));
    }

    private static String task(String type, String state, long elapsed, int progress) {
        return "{\"type\":\"" + type + "\",\"state\":\"" + state + "\",\"elapsedTime\":" + elapsed + ",\"progress\":"
                + progress + "}";
    }

    @Test
    void stagesOfSpark() throws Exception {
        app("SPARK", "RUNNING", 10);
        String driver = "/proxy/" + ID + "/api/v1/applications/" + ID;
        answers.put(driver + "/executors", "[{\"totalCores\":0},{\"totalCores\":10},{\"totalCores\":10}]");
        answers.put(
                driver + "/stages",
                "[{\"status\":\"ACTIVE\",\"numTasks\":100,\"numCompleteTasks\":40,\"executorRunTime\":80000},"
                        + "{\"status\":\"PENDING\",\"numTasks\":20,\"numCompleteTasks\":0,\"executorRunTime\":0},"
                        + "{\"status\":\"COMPLETE\",\"numTasks\":10,\"numCompleteTasks\":10,\"executorRunTime\":20000}]");
        JobProgress job = read(0);
        // Five containers of 2 slots run 20 tasks at once; 80 tasks of 2 s are left.
        assertThat(job.remaining()).isCloseTo(80 * 2_000 * 0.5, within(1.0));
        assertThat(job.width()).isEqualTo(40);
        assertThat(job.taskMillis()).isEqualTo(2_000);
    }

    /** With yarn.acl.enable the ResourceManager shows the containers to those only who may view the application. */
    @Test
    void containersThatAreHiddenAreThoseOfTheAccount() throws Exception {
        answers.put(
                "/ws/v1/cluster/apps/" + ID,
                "{\"app\":{\"state\":\"RUNNING\",\"applicationType\":\"SPARK\",\"progress\":10,\"runningContainers\":0,"
                        + "\"allocatedMB\":0,\"allocatedVCores\":0}}");
        String driver = "/proxy/" + ID + "/api/v1/applications/" + ID;
        answers.put(driver + "/executors", "[{\"totalCores\":0},{\"totalCores\":10},{\"totalCores\":10}]");
        answers.put(
                driver + "/stages",
                "[{\"status\":\"ACTIVE\",\"numTasks\":100,\"numCompleteTasks\":40,\"executorRunTime\":80000}]");
        JobProgress job = read(0);
        // The account has two containers of 2 slots; the driver and two executors have 20 cores. 60 tasks of 2 s are
        // left.
        assertThat(job.remaining()).isCloseTo(60 * 2_000 * 3 * 2 / 20.0, within(1.0));
        assertThat(job.width()).isCloseTo(60 * 3 * 2 / 20.0, within(1e-6));
    }

    @Test
    void otherApplicationsByTheirProgress() throws Exception {
        app("TEZ", "RUNNING", 20);
        // 2,000 slot-seconds were a fifth.
        assertThat(read(0).remaining()).isCloseTo(8_000_000, within(1.0));
        app("TEZ", "RUNNING", 0);
        assertThat(read(0).isKnown()).isFalse();
        assertThat(read(0).source()).isEqualTo(ID + " shows too little progress yet; give its work with --work");
        assertThat(read(5_000_000).remaining()).isCloseTo(3_000_000, within(1.0));
        app("MAPREDUCE", "RUNNING", 50);
        assertThat(read(0).source())
                .startsWith(ID + " is at 50 %; its tasks cannot be counted: http")
                .endsWith(" answers with status 404");
        app("TEZ", "FINISHED", 100);
        assertThat(read(0).ended()).isTrue();
    }

    @Test
    void whereKerberosIsWantedATicketIsShown() throws Exception {
        app("TEZ", "RUNNING", 20);
        kerberos = true;
        assertThat(read(0).remaining()).isCloseTo(8_000_000, within(1.0));
        String web = "http://localhost:" + server.getAddress().getPort();
        YarnRest without = rest(
                host -> {
                    throw new IOException("there is no ticket for " + host);
                },
                URI.create(web));
        assertThatThrownBy(() -> without.application(ID))
                .hasMessage(web + " requires Kerberos, and there is no ticket for localhost");
    }

    @Test
    void whatDoesNotAnswerIsNamed() {
        server.stop(0);
        assertThatThrownBy(() -> read(0)).hasMessageContaining("there is no answer from http://localhost:");
        assertThatThrownBy(() -> new YarnProgress(yarn, List::of, "the tag nightly in the queue alice", 0).read(MARKET))
                .hasMessage("there is no application with the tag nightly in the queue alice yet");
    }
}
