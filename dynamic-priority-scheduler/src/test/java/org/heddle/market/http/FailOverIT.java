// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.heddle.market.ledger.MemoryMarket;
import org.heddle.market.security.KeyRing;
import org.heddle.market.security.MasterKeys;
import org.heddle.market.security.RequestParts;
import org.heddle.market.security.RequestSigner;
import org.heddle.testkit.Await;
import org.heddle.testkit.machine.FreePort;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two ResourceManagers in two processes over one journal; the active one is killed, and what it had taken is replayed.
 */
class FailOverIT {
    private static final String V1 = "/heddle/market/v1/";
    private static final int PORTS = 10;

    @TempDir
    Path directory;

    private final List<Process> processes = new ArrayList<>();
    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final MasterKeys masters = new MasterKeys(MemoryMarket.CLUSTER, MarketWebFixture.MASTER, List.of());
    private final RequestSigner operator = new RequestSigner(
            MemoryMarket.CLUSTER,
            KeyRing.OPERATOR + "/1",
            Objects.requireNonNull(masters.secret(KeyRing.operatorKey(masters))),
            new SecureRandom());
    private List<String> ports = List.of();

    @AfterEach
    void end() {
        processes.forEach(Process::destroyForcibly);
    }

    private final class Member {
        private final Process process;
        private final BufferedReader said;
        private final Writer commands;
        private final URI web;

        Member(String id, int webPort) throws IOException {
            List<String> line = new ArrayList<>(List.of(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "-Xmx400m",
                    "-XX:+UseSerialGC",
                    "-Djava.net.preferIPv4Stack=true",
                    "--add-opens=java.base/java.lang=ALL-UNNAMED",
                    "-cp",
                    System.getProperty("java.class.path"),
                    HaPairMember.class.getName(),
                    id));
            line.addAll(ports);
            line.add(directory.resolve("journal").toString());
            process = new ProcessBuilder(line)
                    .redirectError(directory.resolve(id + ".log").toFile())
                    .start();
            processes.add(process);
            said = process.inputReader(StandardCharsets.UTF_8);
            commands = process.outputWriter(StandardCharsets.UTF_8);
            web = URI.create("http://127.0.0.1:" + ports.get(webPort));
        }

        void did(String order) throws IOException {
            for (String line = said.readLine(); line != null; line = said.readLine()) {
                if (line.equals("did " + order)) {
                    return;
                }
            }
            throw new AssertionError("it ended before it did " + order + "; see " + directory);
        }

        void lead() throws IOException {
            commands.write("lead\n");
            commands.flush();
            did("lead");
        }

        void kill() {
            process.destroyForcibly();
            Await.exit("the ResourceManager", Duration.ofSeconds(30), process);
        }
    }

    private Map<String, String> signature(RequestSigner signer, String method, String path, String body)
            throws Exception {
        Map<String, List<String>> fields = new HashMap<>();
        if (!body.isEmpty()) {
            fields.put("Content-Type", List.of("application/json"));
        }
        RequestParts parts =
                new RequestParts(method, "http", "", path, null, fields, body.getBytes(StandardCharsets.UTF_8));
        return signer.sign(parts, System.currentTimeMillis() / 1_000);
    }

    private HttpResponse<String> send(URI web, String method, String path, String body, Map<String, String> signature)
            throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(web.resolve(path))
                .timeout(Await.stretched(Duration.ofSeconds(30)))
                .method(method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
        if (!body.isEmpty()) {
            request.header("Content-Type", "application/json");
        }
        signature.forEach(request::header);
        return client.send(request.build(), BodyHandlers.ofString());
    }

    private HttpResponse<String> sign(URI web, String method, String path, String body) throws Exception {
        return send(web, method, path, body, signature(operator, method, path, body));
    }

    /** The signature of a read that was taken: there is a short while after taking over in which none is. */
    private Map<String, String> readOnce(URI web) throws Exception {
        return Await.value("a read to be taken", Duration.ofSeconds(30), () -> {
            Map<String, String> signature = signature(operator, "GET", V1 + "accounts/alice", "");
            HttpResponse<String> answer = send(web, "GET", V1 + "accounts/alice", "", signature);
            if (answer.statusCode() == 200) {
                assertThat(answer.body()).contains("\"budget\":\"25\"");
                return signature;
            }
            assertThat(answer.body()).containsAnyOf("signed-before-takeover", "too-many-requests");
            return null;
        });
    }

    @Test
    void clientsAreSentOnAndNothingThatWasTakenBeforeAKillIsTakenAgain() throws Exception {
        ports = Stream.generate(() -> Integer.toString(FreePort.next()))
                .limit(PORTS)
                .toList();
        Member one = new Member("rm1", 4);
        Member two = new Member("rm2", 9);
        one.did("start");
        two.did("start");
        assertThat(sign(two.web, "GET", V1 + "price", "").statusCode())
                .as("no ResourceManager leads")
                .isEqualTo(503);
        one.lead();

        for (String path : List.of(V1 + "accounts", "/scheduler?price")) {
            HttpResponse<String> standby = path.contains("?")
                    ? client.send(HttpRequest.newBuilder(two.web.resolve(path)).build(), BodyHandlers.ofString())
                    : sign(two.web, "GET", path, "");
            assertThat(standby.statusCode()).isEqualTo(307);
            assertThat(standby.headers().firstValue("Location").orElse("")).endsWith(":" + ports.get(4) + path);
        }
        assertThat(sign(one.web, "POST", V1 + "accounts", "{\"name\":\"alice\"}")
                        .statusCode())
                .isEqualTo(201);
        String body = "{\"amount\":\"5\"}";
        String deposits = V1 + "accounts/alice/deposits";
        List<Map<String, String>> taken = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            Map<String, String> signature = signature(operator, "POST", deposits, body);
            assertThat(send(one.web, "POST", deposits, body, signature).statusCode())
                    .isEqualTo(200);
            taken.add(signature);
        }
        Map<String, String> read = readOnce(one.web);

        one.kill();
        two.lead();

        for (Map<String, String> signature : taken) {
            HttpResponse<String> again = send(two.web, "POST", deposits, body, signature);
            assertThat(again.statusCode()).as(again.body()).isEqualTo(401);
            assertThat(again.body()).containsAnyOf("replayed", "signed-before-takeover");
        }
        assertThat(send(two.web, "GET", V1 + "accounts/alice", "", read).body()).contains("signed-before-takeover");
        HttpResponse<String> fresh = sign(two.web, "POST", deposits, body);
        assertThat(fresh.statusCode()).as(fresh.body()).isEqualTo(200);
        assertThat(fresh.body()).contains("\"balance\":\"30\"");
    }
}
