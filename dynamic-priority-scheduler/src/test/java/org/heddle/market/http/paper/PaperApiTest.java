// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.http.paper;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import java.util.Map;
import java.util.Objects;
import org.heddle.market.http.MarketWebFixture;
import org.heddle.market.model.amount.SpendingRate;
import org.heddle.market.security.ApiKey;
import org.heddle.market.security.RequestSigner;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The paper's Table 1 and Listing 1.1 in a real ResourceManager. */
class PaperApiTest {
    private static MarketWebFixture server;

    @BeforeAll
    static void start() throws Exception {
        server = new MarketWebFixture(Map.of());
    }

    @AfterAll
    static void stop() throws Exception {
        server.close();
    }

    @BeforeEach
    void freshBooks() throws Exception {
        server.show("alice", "bob");
    }

    private static RequestSigner alice() throws Exception {
        HttpResponse<String> made = server.sign(
                server.operator(), "POST", "/heddle/market/v1/keys", "{\"owner\":\"alice\",\"role\":\"user\"}");
        assertThat(made.statusCode()).as(made.body()).isEqualTo(201);
        String id = "alice/1";
        return server.signer(ApiKey.parse(
                id,
                Objects.requireNonNull(server.market.records(ApiKey.KIND).get(id))
                        .content()));
    }

    private static HttpResponse<String> send(RequestSigner signer, String method, String options) throws Exception {
        return server.sign(signer, method, "/scheduler?" + options, "");
    }

    @Test
    void everyOperationOfTheTableWorks() throws Exception {
        assertThat(server.get("/scheduler?price").body()).contains("<QueueInfo>", "<price>0</price>");
        assertThat(server.get("/scheduler?time").body()).contains("<start>", "<time>");
        RequestSigner alice = alice();
        RequestSigner root = server.operator();

        assertThat(send(alice, "GET", "setSpending=0.11&queue=alice").statusCode())
                .isEqualTo(200);
        assertThat(send(root, "POST", "addBudget=98972&queue=alice").statusCode())
                .isEqualTo(200);
        server.books.turn();
        HttpResponse<String> info = send(alice, "GET", "info=alice");
        assertThat(info.headers().firstValue("Content-Type").orElse(""))
                .isEqualToIgnoringCase("text/xml;charset=utf-8");
        assertThat(info.body().replaceAll(">\\s+", ">"))
                .isEqualTo(("<?xml version=\"1.0\" encoding=\"UTF-8\"?><QueueInfo><host>127.0.0.1</host><queue"
                                + " name=\"alice\"><budget>99972.0</budget>"
                                + "<spending>0.11</spending><share>1.0</share><used>1</used><pending>43</pending></queue></QueueInfo>")
                        .replace("127.0.0.1", info.body().replaceAll("(?s).*<host>|</host>.*", "")));
        assertThat(server.get("/scheduler?price").body()).contains("<price>0.11</price>");

        assertThat(send(root, "GET", "addQueue=carol").statusCode()).isEqualTo(200);
        assertThat(send(root, "GET", "infos").body())
                .contains(
                        "<price>0.11</price>",
                        "<queue name=\"alice\">",
                        "<queue name=\"bob\">",
                        "<queue name=\"carol\">");
        assertThat(send(root, "GET", "removeQueue=carol").statusCode()).isEqualTo(200);
        assertThat(send(root, "GET", "addBudget=-2.5&queue=bob").body()).contains("<budget>997.5</budget>");
        assertThat(send(root, "GET", "setSpending=3&queue=bob").body()).contains("<spending>3.0</spending>");
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
        "info=root.root.alice, 403",
        "setSpending=1&queue=alice, 200",
        "setSpending=-1&queue=alice, 400",
        "setSpending=1e5&queue=alice, 400",
        "setSpending=1, 400",
        "info=alice&infos, 400",
        "nothing, 400",
    })
    void aUserMayWhatTheTableSays(String options, int status) throws Exception {
        HttpResponse<String> answer = send(alice(), "GET", options);

        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(status);
        if (status != 200) {
            assertThat(answer.body()).contains("<error status=\"" + status + "\"");
        }
    }

    @Test
    void headChangesNothing() throws Exception {
        RequestSigner root = server.operator();
        assertThat(send(root, "HEAD", "setSpending=7&queue=bob").statusCode()).isEqualTo(405);
        assertThat(send(root, "HEAD", "info=bob").statusCode()).isEqualTo(200);
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
