// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.http.paper;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URLEncoder;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.Map;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.heddle.market.http.InMemoryMarket;
import org.heddle.market.http.MarketWebFixture;
import org.heddle.market.http.config.WebKeys;
import org.heddle.market.model.amount.SpendingRate;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The paper's Table 1 and Listing 1.1 in a real ResourceManager, by the recipe of 2009 and by signatures. */
class PaperApiTest {
    @TempDir
    static Path directory;

    private static MarketWebFixture server;
    private static Path users;

    @BeforeAll
    static void start() throws Exception {
        users = directory.resolve("hadoop.acl");
        writeUsers("root admin rootsecret\nalice user alicesecret\nbob user bobsecret\n");
        server = new MarketWebFixture(Map.of(
                WebKeys.LEGACY_USERS_FILE.name(), users.toString(), WebKeys.FAILURES_PER_ADDRESS.name(), "100000"));
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @BeforeEach
    void freshBooks() {
        server.show(new InMemoryMarket("alice", "bob"));
    }

    private static void writeUsers(String text) throws Exception {
        Files.writeString(users, text);
    }

    /** As the code of 2009 did it: HMAC-SHA1 over the query, base64, URL-encoded. */
    private static HttpResponse<String> legacy(
            String method, String options, String user, String secret, long timestamp) throws Exception {
        String query = options + "&user=" + user + "&timestamp=" + timestamp;
        return server.send(HttpRequest.newBuilder(server.uri("/scheduler?" + query))
                .method(method, HttpRequest.BodyPublishers.noBody())
                .header("Authorization", authorization(query, secret))
                .build());
    }

    private static String authorization(String query, String secret) throws Exception {
        Mac mac = Mac.getInstance("HmacSHA1");
        mac.init(new SecretKeySpec(secret.getBytes(StandardCharsets.UTF_8), "HmacSHA1"));
        byte[] signature = mac.doFinal(query.getBytes(StandardCharsets.UTF_8));
        return URLEncoder.encode(Base64.getEncoder().encodeToString(signature), StandardCharsets.UTF_8);
    }

    private static long lastTimestamp;

    /** Increases with each call, and is not too old even if the server needed long to start. */
    private static long next() {
        lastTimestamp = Math.max(lastTimestamp + 1, System.currentTimeMillis() - 20_000);
        return lastTimestamp;
    }

    @Test
    void everyOperationOfTheTableWorksByTheRecipeOf2009() throws Exception {
        assertThat(server.get("/scheduler?price").body()).contains("<QueueInfo>", "<price>0</price>");
        assertThat(server.get("/scheduler?time").body()).contains("<start>", "<time>");

        HttpResponse<String> set = legacy("GET", "setSpending=0.11&queue=alice", "alice", "alicesecret", next());
        assertThat(set.statusCode()).isEqualTo(200);
        assertThat(legacy("POST", "addBudget=98972&queue=alice", "root", "rootsecret", next())
                        .statusCode())
                .isEqualTo(200);
        HttpResponse<String> info = legacy("GET", "info=alice", "alice", "alicesecret", next());
        assertThat(info.headers().firstValue("Content-Type").orElse(""))
                .isEqualToIgnoringCase("text/xml;charset=utf-8");
        assertThat(info.body().replaceAll(">\\s+", ">"))
                .isEqualTo(("<?xml version=\"1.0\" encoding=\"UTF-8\"?><QueueInfo><host>127.0.0.1</host><queue"
                                + " name=\"alice\"><budget>99972.0</budget>"
                                + "<spending>0.11</spending><share>1.0</share><used>1</used><pending>43</pending></queue></QueueInfo>")
                        .replace("127.0.0.1", info.body().replaceAll("(?s).*<host>|</host>.*", "")));
        assertThat(server.get("/scheduler?price").body()).contains("<price>0.11</price>");

        assertThat(legacy("GET", "addQueue=carol", "root", "rootsecret", next()).statusCode())
                .isEqualTo(200);
        assertThat(legacy("GET", "infos", "root", "rootsecret", next()).body())
                .contains(
                        "<price>0.11</price>",
                        "<queue name=\"alice\">",
                        "<queue name=\"bob\">",
                        "<queue name=\"carol\">");
        assertThat(legacy("GET", "removeQueue=carol", "root", "rootsecret", next())
                        .statusCode())
                .isEqualTo(200);
        assertThat(legacy("GET", "addBudget=-2.5&queue=bob", "root", "rootsecret", next())
                        .body())
                .contains("<budget>997.5</budget>");
    }

    @ParameterizedTest
    @CsvSource({
        "infos, 403",
        "info=bob, 403",
        "setSpending=1&queue=bob, 403",
        "addBudget=5&queue=alice, 403",
        "addQueue=mine, 403",
        "removeQueue=bob, 403",
        "info=alice, 200",
        "info=root.alice, 200",
        "setSpending=1&queue=alice, 200",
        "setSpending=-1&queue=alice, 400",
        "setSpending=1e5&queue=alice, 400",
        "setSpending=1, 400",
        "info=alice&infos, 400",
        "nothing, 400",
    })
    void aUserMayWhatTheTableSays(String options, int status) throws Exception {
        HttpResponse<String> answer = legacy("GET", options, "alice", "alicesecret", next());

        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(status);
        if (status != 200) {
            assertThat(answer.body()).contains("<error status=\"" + status + "\"");
        }
    }

    @Test
    void whatTheCodeOf2009GotWrongIsRight() throws Exception {
        long now = System.currentTimeMillis();
        // Replayed, and reordered.
        long first = next();
        long second = next();
        assertThat(legacy("GET", "info=alice", "alice", "alicesecret", second).statusCode())
                .isEqualTo(200);
        assertThat(legacy("GET", "info=alice", "alice", "alicesecret", second).body())
                .contains("code=\"replayed\"");
        assertThat(legacy("GET", "setSpending=9&queue=alice", "alice", "alicesecret", first)
                        .body())
                .contains("code=\"replayed\"");
        // A time far in the future is refused, and no user is locked out.
        assertThat(legacy("GET", "info=alice", "alice", "alicesecret", now + 86_400_000)
                        .body())
                .contains("code=\"in-the-future\"");
        assertThat(legacy("GET", "info=alice", "alice", "alicesecret", now - 86_400_000)
                        .body())
                .contains("code=\"too-old\"");
        assertThat(legacy("GET", "info=alice", "alice", "alicesecret", next()).statusCode())
                .isEqualTo(200);
        // The secret of another user, or of no user.
        assertThat(legacy("GET", "info=alice", "alice", "bobsecret", next()).body())
                .contains("code=\"wrong-signature\"");
        assertThat(legacy("GET", "info=carol", "carol", "x", next()).body()).contains("code=\"wrong-signature\"");
        // A signature for one query is no good for another, and none is good elsewhere.
        String query = "info=alice&user=alice&timestamp=" + next();
        assertThat(server.send(HttpRequest.newBuilder(
                                        server.uri("/scheduler?" + query.replace("info=alice", "info=bob")))
                                .header("Authorization", authorization(query, "alicesecret"))
                                .build())
                        .statusCode())
                .isEqualTo(401);
        assertThat(server.send(HttpRequest.newBuilder(server.uri("/heddle/market/v1/accounts?" + query))
                                .header("Authorization", authorization(query, "alicesecret"))
                                .build())
                        .statusCode())
                .isEqualTo(400);
    }

    @Test
    void aReloadOfTheUsersForgetsNoReplayAndAMalformedLineStopsNobody() throws Exception {
        long timestamp = next();
        assertThat(legacy("GET", "setSpending=2&queue=bob", "bob", "bobsecret", timestamp)
                        .statusCode())
                .isEqualTo(200);
        writeUsers("root admin rootsecret\nthis line is wrong\nalice king alicesecret\n\nbob user bobsecret\n# end\n");
        server.takeOver(System.currentTimeMillis() - 3_600_000);

        assertThat(legacy("GET", "setSpending=2&queue=bob", "bob", "bobsecret", timestamp)
                        .body())
                .contains("code=\"replayed\"");
        assertThat(legacy("GET", "info=bob", "bob", "bobsecret", next()).statusCode())
                .isEqualTo(200);
        assertThat(legacy("GET", "info=alice", "alice", "alicesecret", next()).statusCode())
                .as("her role is none")
                .isEqualTo(401);
        writeUsers("root admin rootsecret\nalice user alicesecret\nbob user bobsecret\n");
    }

    @Test
    void signaturesOfOurOwnKindAreGoodHereToo() throws Exception {
        assertThat(server.sign(server.operator(), "GET", "/scheduler?infos", "").statusCode())
                .isEqualTo(200);
        assertThat(server.sign(server.operator(), "GET", "/scheduler?setSpending=3&queue=bob", "")
                        .body())
                .contains("<spending>3.0</spending>");
    }

    @Test
    void headChangesNothing() throws Exception {
        String path = "/scheduler?setSpending=7&queue=bob";
        assertThat(server.sign(server.operator(), "HEAD", path, "").statusCode())
                .isEqualTo(405);
        assertThat(legacy("HEAD", "setSpending=7&queue=bob", "bob", "bobsecret", next())
                        .statusCode())
                .isEqualTo(405);
        assertThat(server.sign(server.operator(), "HEAD", "/scheduler?info=bob", "")
                        .statusCode())
                .isEqualTo(200);
        assertThat(server.market.queue("bob").rate()).isEqualTo(SpendingRate.ZERO);
    }

    @Test
    void withoutProofThereIsOnlyWhatIsForEverybody() throws Exception {
        assertThat(server.get("/scheduler?info=alice").statusCode()).isEqualTo(401);
        assertThat(server.get("/scheduler?infos&user.name=root").statusCode()).isEqualTo(401);
        assertThat(server.get("/scheduler?setSpending=1&queue=alice").statusCode())
                .isEqualTo(401);
        HttpResponse<String> json = server.send(server.request("GET", "/scheduler?infos", "")
                .header("Accept", "application/json")
                .build());
        assertThat(json.statusCode()).isEqualTo(401);
        assertThat(json.body()).startsWith("{\"version\":1,\"error\":{\"status\":401,\"code\":\"not-signed\"");
    }
}
