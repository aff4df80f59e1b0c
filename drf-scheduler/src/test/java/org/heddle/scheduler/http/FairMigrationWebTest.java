// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.StringReader;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import javax.xml.parsers.DocumentBuilderFactory;
import org.heddle.scheduler.snapshot.History;
import org.heddle.scheduler.snapshot.Waiting;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.xml.sax.InputSource;

/** What tools read: YARN's own scheduler address, Prometheus, history, reasons; from a real ResourceManager. */
class FairMigrationWebTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Pattern SAMPLE =
            Pattern.compile("heddle_[a-z_]+(\\{([a-z]+=\"([^\"\\\\\\n]|\\\\.)*\",?)+})? [-+0-9.eEInfNa]+");
    private static WebServer server;

    @BeforeAll
    static void start() {
        server = new WebServer(Map.of());
        server.show(Snapshots.of(3, null));
        server.show(
                new Waiting(
                        "application_1700000000000_0001",
                        "root.science",
                        "alice",
                        1_700_000_000_000L,
                        1,
                        4,
                        "not enough free resources",
                        List.of(new Waiting.Reason(
                                Waiting.Kind.INSUFFICIENT_RESOURCES,
                                4,
                                7,
                                "4 x 1 vcores: not enough free resources on 7 of 9 nodes"))),
                new History(List.of(
                        new History.Sample(1_000, Map.of("root", 0.5, "root.science", 0.25)),
                        new History.Sample(6_000, Map.of("root", 0.75)))));
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static HttpResponse<String> get(String path, String accept) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(server.uri(path))
                .header("Accept", accept)
                .build();
        return HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
    }

    @Test
    void theClustersSchedulerAddressAnswersInJsonAndXml() throws Exception {
        HttpResponse<String> json = get("/ws/v1/cluster/scheduler", "application/json");
        assertThat(json.statusCode()).isEqualTo(200);
        JsonNode info = JSON.readTree(json.body()).at("/scheduler/schedulerInfo");
        assertThat(info.get("type").asText()).isEqualTo("fairScheduler");
        assertThat(info.at("/rootQueue/queueName").asText()).isEqualTo("root");
        assertThat(info.at("/rootQueue/childQueues/queue").findValuesAsText("queueName"))
                .contains("root.science", "root." + Snapshots.TRAP);
        assertThat(info.at("/rootQueue/usedResources/memory").asLong()).isPositive();

        HttpResponse<String> xml = get("/ws/v1/cluster/scheduler", "application/xml");
        assertThat(xml.statusCode()).isEqualTo(200);
        Document document = DocumentBuilderFactory.newDefaultInstance()
                .newDocumentBuilder()
                .parse(new InputSource(new StringReader(xml.body())));
        assertThat(document.getDocumentElement().getTagName()).isEqualTo("scheduler");
        assertThat(document.getElementsByTagName("queueName").getLength())
                .isEqualTo(info.findValuesAsText("queueName").size());
        assertThat(xml.body()).doesNotContain(Snapshots.TRAP);
    }

    /**
     * UI2 takes the type up to its first capital letter as the kind of its queue page, for which it has fair, capacity
     * and fifo; its page for fair reads these fields of each queue. UI2 itself is in no repository of Maven.
     */
    @Test
    void theQueuePageOfYarnsUi2FindsItsKindAndItsFields() throws Exception {
        JsonNode info = JSON.readTree(
                        get("/ws/v1/cluster/scheduler", "application/json").body())
                .at("/scheduler/schedulerInfo");
        assertThat(info.get("type").asText().split("(?=[A-Z])", -1)[0]).isIn("fair", "capacity", "fifo");
        JsonNode root = info.get("rootQueue");
        assertThat(root.get("queueName").asText()).isEqualTo("root");
        assertUi2Reads(root);
    }

    private static void assertUi2Reads(JsonNode queue) {
        for (String resources : List.of(
                "minResources",
                "maxResources",
                "usedResources",
                "demandResources",
                "steadyFairResources",
                "fairResources",
                "clusterResources")) {
            assertThat(queue.get(resources).get("memory").isIntegralNumber())
                    .as(resources)
                    .isTrue();
            assertThat(queue.get(resources).get("vCores").isIntegralNumber())
                    .as(resources)
                    .isTrue();
        }
        for (String number : List.of("maxApps", "pendingContainers", "allocatedContainers", "reservedContainers")) {
            assertThat(queue.get(number).isIntegralNumber()).as(number).isTrue();
        }
        assertThat(queue.get("schedulingPolicy").isTextual()).isTrue();
        assertThat(queue.get("preemptable").isBoolean()).isTrue();
        JsonNode below = queue.at("/childQueues/queue");
        if (below.isMissingNode()) {
            assertThat(queue.get("numPendingApps").isIntegralNumber()).isTrue();
            assertThat(queue.get("numActiveApps").isIntegralNumber()).isTrue();
        } else {
            assertThat(below.isArray()).as("forEach is called on it").isTrue();
            below.forEach(FairMigrationWebTest::assertUi2Reads);
        }
    }

    @Test
    void theOtherWebServicesOfTheResourceManagerAreStillThere() throws Exception {
        for (String path : List.of("/ws/v1/cluster/info", "/ws/v1/cluster/metrics", "/ws/v1/cluster/nodes")) {
            assertThat(get(path, "application/json").statusCode()).as(path).isEqualTo(200);
        }
    }

    @Test
    void prometheusCanReadTheMetrics() throws Exception {
        HttpResponse<String> metrics = get("/heddle/metrics", "*/*");
        assertThat(metrics.statusCode()).isEqualTo(200);
        assertThat(metrics.headers().firstValue("Content-Type").orElse("").replace(" ", ""))
                .startsWith("text/plain;version=0.0.4");
        List<String> samples = metrics.body()
                .lines()
                .filter(line -> !line.startsWith("# HELP ") && !line.startsWith("# TYPE "))
                .toList();
        assertThat(samples)
                .hasSizeGreaterThan(10)
                .allMatch(line -> SAMPLE.matcher(line).matches());
        assertThat(metrics.body())
                .contains("heddle_jain_index 0.9731")
                .contains("heddle_queue_dominant_share{queue=\"root.science\"}")
                .contains("heddle_containers_allocated 1234.0");
    }

    @Test
    void historyAndReasonsCanBeAskedFor() throws Exception {
        JsonNode history = JSON.readTree(get("/heddle/v1/history", "*/*").body());
        assertThat(history.at("/samples/0/shares/root.science").asDouble()).isEqualTo(0.25);
        assertThat(history.get("samples")).hasSize(2);

        String why = "/heddle/v1/applications/application_1700000000000_0001/why";
        JsonNode reasons = JSON.readTree(get(why, "application/json").body());
        assertThat(reasons.at("/reasons/0/kind").asText()).isEqualTo("insufficient-resources");
        assertThat(reasons.at("/reasons/0/nodes").asInt()).isEqualTo(7);
        assertThat(get(why, "text/plain").body()).isEqualTo("""
                        application_1700000000000_0001 of alice in root.science: 1 containers run, 4 are asked for
                          4 x 1 vcores: not enough free resources on 7 of 9 nodes
                            Way out: wait until containers end, ask for smaller ones, or add nodes
                        """);
        HttpResponse<String> unknown = get("/heddle/v1/applications/application_1_0009/why", "application/json");
        assertThat(unknown.statusCode()).isEqualTo(404);
        assertThat(unknown.body()).contains("there is no application 'application_1_0009'");
    }
}
