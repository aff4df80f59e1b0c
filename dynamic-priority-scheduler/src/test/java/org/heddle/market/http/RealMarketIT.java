// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import org.heddle.market.agent.AgentEvent;
import org.heddle.market.cli.agent.RateAgent;
import org.heddle.market.cli.client.KeyFile;
import org.heddle.market.http.config.WebKeys;
import org.heddle.market.security.KeyRing;
import org.heddle.market.security.MasterKeys;
import org.heddle.market.security.RequestParts;
import org.heddle.market.security.RequestSigner;
import org.heddle.market.yarn.MarketKeys;
import org.heddle.scheduler.http.Browser;
import org.heddle.testkit.Ask;
import org.heddle.testkit.Await;
import org.heddle.testkit.HeddleCluster;
import org.heddle.testkit.TestApplication;
import org.heddle.testkit.machine.SystemPackage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The whole of it: a YARN cluster under the dynamic-priority scheduler, steered over REST and looked at by a browser.
 */
class RealMarketIT {
    private static final String V1 = "/heddle/market/v1/";
    private static final ObjectMapper JSON = new ObjectMapper();

    @TempDir
    Path directory;

    private final HttpClient client = HttpClient.newHttpClient();
    private URI web = URI.create("http://127.0.0.1");

    private JsonNode sign(String method, String path, String body) throws Exception {
        MasterKeys masters = new MasterKeys("loom", MarketWebFixture.MASTER, List.of());
        RequestSigner operator = new RequestSigner(
                "loom",
                KeyRing.OPERATOR + "/1",
                Objects.requireNonNull(masters.secret(KeyRing.operatorKey(masters))),
                new SecureRandom());
        Map<String, List<String>> fields =
                body.isEmpty() ? Map.of() : Map.of("Content-Type", List.of("application/json"));
        RequestParts parts =
                new RequestParts(method, "http", "", V1 + path, null, fields, body.getBytes(StandardCharsets.UTF_8));
        HttpRequest.Builder request = HttpRequest.newBuilder(web.resolve(V1 + path))
                .method(method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
        fields.forEach((name, values) -> request.header(name, values.get(0)));
        operator.sign(parts, System.currentTimeMillis() / 1_000).forEach(request::header);
        HttpResponse<String> answer = client.send(request.build(), BodyHandlers.ofString());
        assertThat(answer.statusCode()).as(answer.body()).isIn(200, 201);
        return JSON.readTree(answer.body());
    }

    private JsonNode account(String name) throws Exception {
        HttpRequest request =
                HttpRequest.newBuilder(web.resolve(V1 + "accounts/" + name)).build();
        return JSON.readTree(client.send(request, BodyHandlers.ofString()).body())
                .get("account");
    }

    @Test
    void bidsOverRestDivideARealClusterAndAreCharged() throws Exception {
        Path chromium = SystemPackage.require("chromium");
        HeddleCluster cluster = HeddleCluster.builder()
                .scheduler(UnlimitedMarketScheduler.class.getName())
                .nodes(1, Map.of("memory-mb", 15_360L, "vcores", 15L))
                .users("alice", "bob")
                .property(MarketKeys.TRIAL.name(), "true")
                .property(MarketKeys.CLUSTER_ID.name(), "loom")
                .property(MarketKeys.INTERVAL_MS.name(), "1000")
                .property(MarketKeys.STANDARD_SLOT.name(), "memory-mb=1024,vcores=1")
                .property(
                        MarketKeys.STORE_DIRECTORY.name(),
                        directory.resolve("ledger").toString())
                .property(WebKeys.MASTER_KEY.name(), MarketWebFixture.MASTER)
                .property(WebKeys.INSECURE_ROLE.name(), "viewer") // the browser has no key
                .build();
        cluster.start();
        try {
            web = URI.create(cluster.webAddress());
            for (String user : List.of("alice", "bob")) {
                sign("POST", "accounts", "{\"name\":\"" + user + "\"}");
                sign("POST", "accounts/" + user + "/deposits", "{\"amount\":\"1000\",\"text\":\"start\"}");
            }
            sign("PUT", "accounts/alice/rate", "{\"rate\":\"2\"}");
            sign("PUT", "accounts/bob/rate", "{\"rate\":\"1\"}");
            try (TestApplication alice = TestApplication.start(cluster, "alice", "root.alice");
                    TestApplication bob = TestApplication.start(cluster, "bob", "root.bob")) {
                alice.ask(Ask.of(30, Map.of("memory-mb", 1_024L, "vcores", 1L)));
                bob.ask(Ask.of(30, Map.of("memory-mb", 1_024L, "vcores", 1L)));
                Await.until("both to pay and to have been charged", Duration.ofSeconds(60), () -> {
                    alice.heartbeat();
                    bob.heartbeat();
                    return account("alice").get("state").asText().equals("paying")
                            && account("bob").get("state").asText().equals("paying")
                            && account("alice").get("budget").asDouble() < 1_000;
                });

                JsonNode one = account("alice");
                assertThat(one.get("shareExactly").asText()).isEqualTo("2/3");
                assertThat(one.get("wholeSlots").asInt()).isEqualTo(10);
                assertThat(one.get("pendingContainers").asInt()).isPositive();
                HttpResponse<String> price = client.send(
                        HttpRequest.newBuilder(web.resolve("/scheduler?price")).build(), BodyHandlers.ofString());
                assertThat(price.body()).contains("<price>3</price>");
                assertThat(sign("GET", "accounts/alice/statement", "")
                                .get("lines")
                                .toString())
                        .contains("\"charge\"", "\"start\"");
                assertThat(sign("GET", "audit", "").get("entries")).hasSizeGreaterThanOrEqualTo(6);
                assertThat(sign("GET", "prices", "").get("prices")).isNotEmpty();
                look(chromium);
                agentOf(alice);
            }
        } finally {
            cluster.close();
        }
    }

    /** An agent in this process: one that has much time bids less, and sets the old rate back when it is closed. */
    private void agentOf(TestApplication application) throws Exception {
        JsonNode made = sign("POST", "keys", "{\"owner\":\"alice\",\"role\":\"user\"}");
        Path file = directory.resolve("alice.key");
        new KeyFile(
                        web.toString(),
                        "loom",
                        made.at("/key/id").asText(),
                        made.get("secret").asText())
                .write(file);
        List<AgentEvent> events = new CopyOnWriteArrayList<>();
        RateAgent agent = RateAgent.start(
                List.of(web),
                file,
                "alice",
                application.id().toString(),
                RateAgent.deadline(Instant.now().plusSeconds(3_600)),
                events::add);
        try {
            Await.until(
                    "the agent to bid less",
                    Duration.ofSeconds(60),
                    () -> account("alice").get("rate").asDouble() < 1,
                    events::toString);
        } finally {
            agent.close();
        }
        assertThat(account("alice").get("rate").asText()).as("%s", events).isEqualTo("2");
        assertThat(events)
                .anySatisfy(event -> assertThat(event.reason()).contains("slot-seconds are left", "is at 50 %"));
        assertThat(events.get(events.size() - 1).kind()).isEqualTo(AgentEvent.Kind.ENDED);
    }

    private void look(Path chromium) throws Exception {
        Path pictures = Files.createDirectories(Path.of("target", "pages"));
        try (Browser browser = new Browser(chromium, directory.resolve("profile"))) {
            browser.size(1280, 720);
            browser.open(web.resolve("/heddle/market/#overview"));
            browser.await("document.querySelector('#price-chart canvas') !== null");
            browser.evaluate("location.hash = 'queues'");
            browser.await("document.querySelectorAll('#accounts tbody tr').length >= 2");
            assertThat(browser.evaluate("document.querySelector('#accounts').innerText")
                            .asText())
                    .contains("alice", "66.7 %", "paying");
            browser.screenshot(pictures.resolve("market-real.png"));
            assertThat(browser.complaints()).isEmpty();
        }
    }
}
