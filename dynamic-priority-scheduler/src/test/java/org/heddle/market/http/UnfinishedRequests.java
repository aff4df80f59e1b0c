// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.Socket;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.heddle.market.ledger.MemoryMarket;
import org.heddle.market.security.RefusedException;
import org.heddle.market.security.RequestSigner;
import org.heddle.testkit.attack.SlowClients;

/**
 * Requests that announce a body and send one byte of it. The web server calls no servlet before that byte. Three
 * hundred of them were enough to take all threads of the ResourceManager's web server.
 */
public final class UnfinishedRequests {
    public static final int MANY = 300;

    private static final String V1 = "/heddle/market/v1/";
    private static final String DEPOSITS = V1 + "accounts/alice/deposits";
    private static final String DEPOSIT = "{\"amount\":\"1\"}";

    private UnfinishedRequests() {}

    /** @param fields lines of the head, with their ends */
    public static String request(String method, String path, String... fields) {
        return unfinished(method, path, "Content-Length: 5000\r\n", fields);
    }

    private static String unfinished(String method, String path, String length, String... fields) {
        return method + " " + path + " HTTP/1.1\r\nHost: h\r\nContent-Type: application/json\r\n"
                + String.join("", List.of(fields)) + length + "\r\n{";
    }

    /** A signed deposit of which the body is missing but for its first byte. */
    public static String signed(MarketWebFixture server, RequestSigner signer) throws RefusedException {
        StringBuilder fields = new StringBuilder();
        server.fields(signer, "POST", DEPOSITS, DEPOSIT, System.currentTimeMillis())
                .forEach((name, value) ->
                        fields.append(name).append(": ").append(value).append("\r\n"));
        return unfinished("POST", DEPOSITS, "Content-Length: " + DEPOSIT.length() + "\r\n", fields.toString());
    }

    /** The rest of its body, in two parts. */
    public static List<String> rest() {
        return List.of(DEPOSIT.substring(1, 6), DEPOSIT.substring(6));
    }

    /**
     * Requests of nobody that is known, each with the status of its answer.
     *
     * @param statusOfUnsigned what a change without signature is answered with; it has the header against pages of
     *     other sites
     */
    public static Map<String, Integer> ofStrangers(MarketWebFixture server, int statusOfUnsigned) throws Exception {
        RequestSigner thief = new RequestSigner(MemoryMarket.CLUSTER, "heddle.operator/1", new byte[32], server.random);
        RequestSigner nobody = new RequestSigner(MemoryMarket.CLUSTER, "nobody/7", new byte[32], server.random);
        return Map.of(
                request("POST", DEPOSITS, "Signature: x\r\n"),
                401,
                request("POST", DEPOSITS, "X-XSRF-Header: x\r\n"),
                statusOfUnsigned,
                request("POST", V1 + "quotes", "X-XSRF-Header: x\r\n"),
                statusOfUnsigned,
                unfinished("POST", DEPOSITS, "Transfer-Encoding: chunked\r\n", "Signature: x\r\n"),
                401,
                signed(server, thief),
                401,
                signed(server, nobody),
                401,
                request("GET", V1 + "price"),
                400,
                request("GET", "/heddle/market/"),
                200,
                request("POST", "/scheduler?price"),
                200,
                request("POST", V1 + "price", "Signature: x\r\n"),
                405);
    }

    /** Sends all of them until there are {@link #MANY}, and then reads the answers: none waits for a body. */
    public static void areAnsweredAtOnce(SlowClients clients, Map<String, Integer> requests) throws IOException {
        Map<Socket, Map.Entry<String, Integer>> sent = new LinkedHashMap<>();
        List<Map.Entry<String, Integer>> kinds = new ArrayList<>(requests.entrySet());
        for (int i = 0; i < MANY; i++) {
            Map.Entry<String, Integer> kind = kinds.get(i % kinds.size());
            sent.put(clients.send(kind.getKey()), kind);
        }
        for (Map.Entry<Socket, Map.Entry<String, Integer>> one : sent.entrySet()) {
            String answer = SlowClients.answer(one.getKey());
            assertThat(answer)
                    .as(one.getValue().getKey())
                    .startsWith("HTTP/1.1 " + one.getValue().getValue());
        }
    }
}
