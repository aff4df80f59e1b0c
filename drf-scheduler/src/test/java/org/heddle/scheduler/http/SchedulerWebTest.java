// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.heddle.scheduler.snapshot.LimitExceeded;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Against the web server of a real ResourceManager. */
class SchedulerWebTest {
    private static final String TRAP_IN_URL = "root.%3Cscript%3Ealert(1)%3C%2Fscript%3E";
    private static final ObjectMapper JSON = new ObjectMapper();
    private static WebServer server;

    @BeforeAll
    static void start() {
        server = new WebServer(Map.of());
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @BeforeEach
    void showSomething() {
        server.show(Snapshots.of(3, null));
    }

    @Test
    void theResourceManagersOwnPageHasTheClaimTree() throws Exception {
        server.show(Snapshots.of(3, Snapshots.PROBLEM));

        HttpResponse<String> page = server.get("/cluster/scheduler");

        assertThat(page.statusCode()).isEqualTo(200);
        assertThat(page.body())
                .contains("id=\"heddle\"", "alice", "science", "width:42.00%", "left:min(50.00%, 100% - 3px)")
                .contains("Masters may use", "Maximum", "42.0 % of memory-mb", "50.0 %", "170.0 %", "for its turn")
                .contains("line 7, &lt;weight&gt;")
                .contains("&lt;script&gt;alert(1)&lt;/script&gt;")
                .doesNotContain(Snapshots.TRAP);
    }

    @Test
    void theWholeTreeIsJsonWithItsVersionFirst() throws Exception {
        HttpResponse<String> answer = server.get("/heddle/v1/scheduler");

        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.headers().firstValue("Content-Type").orElse(""))
                .isEqualToIgnoringCase("application/json;charset=utf-8");
        assertThat(answer.headers().firstValue("X-Content-Type-Options")).contains("nosniff");
        JsonNode body = JSON.readTree(answer.body());
        assertThat(names(body))
                .containsExactly(
                        "version",
                        "takenAtMillis",
                        "nodes",
                        "reservedNodes",
                        "capacity",
                        "usage",
                        "jainIndex",
                        "configuration",
                        "counters",
                        "pending",
                        "allocationDelay",
                        "preemptions",
                        "root");
        assertThat(body.get("version").asInt()).isEqualTo(1);
        assertThat(body.get("capacity").get("memory-mb").asLong()).isEqualTo(102_400);
        assertThat(names(body.get("root")))
                .containsExactly(
                        "kind",
                        "name",
                        "path",
                        "user",
                        "order",
                        "weight",
                        "configuredWeight",
                        "dominantResource",
                        "dominantShare",
                        "fairShare",
                        "demandShare",
                        "normalizedShare",
                        "blocked",
                        "obstacle",
                        "usage",
                        "demand",
                        "runningContainers",
                        "pendingContainers",
                        "limit",
                        "guarantee",
                        "steadyShare",
                        "applications",
                        "children");
        JsonNode science = body.at("/root/children/1");
        assertThat(science.get("kind").asText()).isEqualTo("queue");
        assertThat(science.get("demandShare").asDouble()).isEqualTo(1.7);
        assertThat(body.at("/root/children/0/name").asText()).isEqualTo(Snapshots.TRAP);
    }

    @Test
    void oneQueueOneApplicationAndTheConfigurationCanBeAskedForAlone() throws Exception {
        server.show(Snapshots.of(3, Snapshots.PROBLEM));

        JsonNode queue = json("/heddle/v1/queues/" + TRAP_IN_URL);
        JsonNode application = json("/heddle/v1/applications/application_1700000000000_0002");
        JsonNode configuration = json("/heddle/v1/config");

        assertThat(queue.at("/queue/path").asText()).isEqualTo("root." + Snapshots.TRAP);
        assertThat(names(application)).containsExactly("version", "takenAtMillis", "queue", "user", "application");
        assertThat(application.get("queue").asText()).isEqualTo("root.science");
        assertThat(application.get("user").asText()).isEqualTo("alice");
        assertThat(application.at("/application/normalizedShare").isNull())
                .as("infinite")
                .isTrue();
        assertThat(names(configuration))
                .containsExactly("version", "source", "loadedAtMillis", "warnings", "problem", "changes");
        assertThat(configuration.get("problem").asText()).isEqualTo(Snapshots.PROBLEM);
    }

    @Test
    void someApplicationsOrThoseWithANameAreListedAlone() throws Exception {
        server.show(Snapshots.of(3, Snapshots.PROBLEM));

        assertThat(applications("")).hasSize(3);
        assertThat(applications("?applications=1")).hasSizeLessThan(3);
        assertThat(applications("?applications=0")).isEmpty();
        assertThat(applications("?find=_0002")).containsExactly("application_1700000000000_0002");
        assertThat(applications("?applications=5&find=APPLICATION")).hasSize(3);
        assertThat(json("/heddle/v1/scheduler?applications=0")
                        .at("/root/applications")
                        .asInt())
                .as("how many there are")
                .isEqualTo(3);
        assertThat(applications("?applications=0&below=1:root.science.alice&below=1:root.nobody"))
                .as("more of one user")
                .containsExactly("application_1700000000000_0001");
        for (String wrong : List.of("root.science.alice", "x:root", ":root", "-1:root", "1:")) {
            HttpResponse<String> answer = server.get("/heddle/v1/scheduler?below=" + wrong);
            assertThat(answer.statusCode()).isEqualTo(400);
            assertThat(answer.body()).contains("below = " + wrong + ": must be a whole number, a colon and the path");
        }
        for (String wrong : List.of("x", "-1", "1.5", "")) {
            HttpResponse<String> answer = server.get("/heddle/v1/scheduler?applications=" + wrong);
            assertThat(answer.statusCode()).isEqualTo(400);
            assertThat(answer.body()).contains("applications = " + wrong + ": must be a whole number");
        }
    }

    private List<String> applications(String query) throws Exception {
        return json("/heddle/v1/scheduler" + query).findValuesAsText("name").stream()
                .filter(name -> name.startsWith("application_"))
                .toList();
    }

    @Test
    void aGoodConfigurationHasNoProblem() throws Exception {
        assertThat(json("/heddle/v1/config").get("problem").isNull()).isTrue();
    }

    @ParameterizedTest
    @CsvSource({
        "/heddle/v1/queues/root.nothing,there is no queue 'root.nothing'; /heddle/v1/scheduler has all of them",
        "/heddle/v1/queues/root.science.alice,there is no queue 'root.science.alice'",
        "/heddle/v1/queues/,there is no queue ''",
        "/heddle/v1/applications/application_1_0001,there is no application 'application_1_0001' that runs or waits",
        "/heddle/v1/applications/alice,there is no application 'alice'",
        "/heddle/v2/scheduler,there is no /heddle/v2/scheduler; there are /heddle/",
        "/heddle/v1,there is no /heddle/v1; there are",
        "/heddle/v1/shadow,limits are in force: yarn.scheduler.heddle.shadow is not true",
    })
    void whatIsNotThereIsNamed(String path, String message) throws Exception {
        HttpResponse<String> answer = server.get(path);

        assertThat(answer.statusCode()).isEqualTo(404);
        JsonNode error = JSON.readTree(answer.body()).get("error");
        assertThat(error.get("status").asInt()).isEqualTo(404);
        assertThat(error.get("message").asText()).startsWith(message);
    }

    @Test
    void preemptionsCanBeReadWithoutTheQueues() throws Exception {
        JsonNode all = json("/heddle/v1/scheduler");
        JsonNode some = json("/heddle/v1/preemptions");
        assertThat(names(some)).containsExactly("version", "takenAtMillis", "counters", "preemptions");
        assertThat(some.get("counters")).isEqualTo(all.get("counters"));
        assertThat(some.get("preemptions")).isEqualTo(all.get("preemptions"));
    }

    @Test
    void limitsThatShadowModeDoesNotEnforce() throws Exception {
        server.showLimits(List.of(
                new LimitExceeded("max-resources", "queue root.a", "queue root.a holds \"2\"", 1_000, 0),
                new LimitExceeded("max-running-apps", "queue root.b", "queue root.b runs 3", 1_000, 2_000)));
        try {
            JsonNode limits = json("/heddle/v1/shadow").get("limitsExceeded");
            assertThat(names(limits.get(0))).containsExactly("limit", "subject", "text", "sinceMillis", "untilMillis");
            assertThat(limits.at("/0/text").asText()).isEqualTo("queue root.a holds \"2\"");
            assertThat(limits.at("/0/untilMillis").isNull()).as("it lasts").isTrue();
            assertThat(limits.at("/1/untilMillis").asLong()).isEqualTo(2_000);
        } finally {
            server.showLimits(null);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"POST", "PUT", "DELETE", "PATCH"})
    void nothingCanBeChangedHere(String method) throws Exception {
        HttpResponse<String> answer = server.send(method, "/heddle/v1/scheduler");

        assertThat(answer.statusCode()).isEqualTo(405);
        assertThat(answer.headers().firstValue("Allow")).contains("GET, HEAD");
        assertThat(JSON.readTree(answer.body()).at("/error/message").asText())
                .isEqualTo(method + " is not possible here; use GET");
    }

    /** Hadoop's clients prove who they are with a request of this kind, and take only 200 for success. */
    @Test
    void itIsToldWhatIsPossible() throws Exception {
        HttpResponse<String> answer = server.send("OPTIONS", "/heddle/metrics");

        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.headers().firstValue("Allow")).contains("GET, HEAD, OPTIONS");
        assertThat(answer.body()).isEmpty();
    }

    @Test
    void headAnswersWithoutABody() throws Exception {
        HttpResponse<String> answer = server.send("HEAD", "/heddle/v1/scheduler");

        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.body()).isEmpty();
    }

    @Test
    void thePageMayRunNothingButItsOwnScript() throws Exception {
        HttpResponse<String> page = server.get("/heddle/");

        assertThat(page.statusCode()).isEqualTo(200);
        assertThat(page.headers().firstValue("Content-Security-Policy").orElse(""))
                .startsWith("default-src 'none'; connect-src 'self'; script-src 'self'; style-src 'self'")
                .doesNotContain("unsafe", "sha256");
        assertThat(page.body()).doesNotContain("http://", "https://", "style=", "@");
        assertThat(server.get("/heddle").headers().firstValue("Location")).contains("/heddle/");
    }

    @Test
    void withoutJavaScriptThereIsATable() throws Exception {
        String page = server.get("/heddle/").body();

        assertThat(page.substring(page.indexOf("<noscript>"), page.indexOf("</noscript>")))
                .contains("<th scope=\"row\">&nbsp;&nbsp;science</th><td>42.0 %</td><td>50.0 %</td><td>170.0 %</td>")
                .contains("&lt;script&gt;alert(1)&lt;/script&gt;")
                .doesNotContain(Snapshots.TRAP, "application_");
    }

    @ParameterizedTest
    @CsvSource({
        "frame.js,text/javascript",
        "frame.css,text/css",
        "vendor/uplot.js,text/javascript",
        "vendor/uplot-LICENSE.txt,text/plain"
    })
    void thePagesLoadFiles(String name, String type) throws Exception {
        HttpResponse<String> file = server.get("/heddle/static/" + name);

        assertThat(file.statusCode()).isEqualTo(200);
        assertThat(file.headers().firstValue("Content-Type").orElse("")).startsWith(type);
        assertThat(file.headers().firstValue("X-Content-Type-Options")).contains("nosniff");
    }

    @ParameterizedTest
    @ValueSource(strings = {"nothing.js", "vendor/", "frame.html", "%2e%2e/frame.html"})
    void thereAreNoOtherFiles(String name) throws Exception {
        assertThat(server.get("/heddle/static/" + name).statusCode()).isIn(400, 404);
    }

    @Test
    void theStaticUserOfTheResourceManagersPagesIsStillThere() throws Exception {
        assertThat(server.get("/cluster/scheduler").body()).contains("Logged in as: dr.who");
    }

    private static JsonNode json(String path) throws Exception {
        HttpResponse<String> answer = server.get(path);
        assertThat(answer.statusCode()).as(path).isEqualTo(200);
        return JSON.readTree(answer.body());
    }

    private static List<String> names(JsonNode object) {
        List<String> names = new ArrayList<>();
        object.fieldNames().forEachRemaining(names::add);
        return names;
    }
}
