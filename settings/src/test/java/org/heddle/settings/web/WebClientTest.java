// SPDX-License-Identifier: Apache-2.0
package org.heddle.settings.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class WebClientTest {
    private static final String WHY = "/heddle/v1/applications/application_1_0001/why";

    private final Map<String, String> pages = new ConcurrentHashMap<>();
    private final Map<String, Integer> statuses = new ConcurrentHashMap<>();
    private final Map<String, String> asked = new ConcurrentHashMap<>();
    private HttpServer server;
    private String web = "";

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            String path = exchange.getRequestURI().getPath();
            asked.put(
                    path,
                    exchange.getRequestURI() + " "
                            + exchange.getRequestHeaders().getFirst("Authorization"));
            int status = statuses.getOrDefault(path, pages.containsKey(path) ? 200 : 404);
            String text = pages.getOrDefault(path, "<html><body><h2>HTTP ERROR 404</h2></body></html>");
            if (status == 307) {
                exchange.getResponseHeaders().add("Location", text);
            }
            if (text.startsWith("<html")) {
                exchange.getResponseHeaders().add("Content-Type", "text/html; charset=utf-8");
            }
            boolean known = exchange.getRequestHeaders().containsKey("Authorization");
            if (status == 401 && !known) {
                exchange.getResponseHeaders().add("WWW-Authenticate", "Negotiate");
            } else if (status == 401) {
                status = 200;
            }
            byte[] body = text.getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(status, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
        web = "http://127.0.0.1:" + server.getAddress().getPort();
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    private WebClient client(String... addresses) {
        List<URI> all = java.util.Arrays.stream(addresses).map(WebAddress::of).toList();
        return new WebClient(all, Duration.ofSeconds(20), "give another one with --rm");
    }

    @Test
    void theSecondOfAPairAnswersWhereTheFirstIsDown() throws IOException {
        pages.put(WHY, "because");
        assertThat(client("127.0.0.1:1", web + "/").text(WHY, "text/plain")).isEqualTo("because");
    }

    @Test
    void aStandbySendsToTheActiveOne() throws IOException {
        statuses.put(WHY, 307);
        pages.put(WHY, web + "/active");
        pages.put("/active", "because");
        assertThat(client(web).text(WHY, "text/plain")).isEqualTo("because");
        pages.put("/active", web + "/active");
        statuses.put("/active", 307);
        assertThatThrownBy(() -> client(web).text(WHY, "text/plain")).hasMessageContaining("without end");
    }

    @Test
    void userAndTicketsAreSent() throws IOException {
        pages.put(WHY, "because");
        client(web).as("al ice").text(WHY + "?x=1", "text/plain");
        assertThat(asked.get(WHY)).contains("?x=1&user.name=al%20ice");
        statuses.put(WHY, 401);
        Negotiation ticket = host -> "Negotiate for-" + host;
        assertThat(client(web).with(ticket).text(WHY, "text/plain")).isEqualTo("because");
        assertThat(asked.get(WHY)).endsWith("Negotiate for-127.0.0.1");
        Negotiation none = host -> {
            throw new IOException("there is no Kerberos ticket; run kinit first");
        };
        assertThatThrownBy(() -> client(web, web).with(none).text(WHY, "text/plain"))
                .hasMessage(web + " requires Kerberos, and there is no Kerberos ticket; run kinit first");
        pages.remove(WHY);
        assertThatThrownBy(() -> client(web).withoutKerberos().text(WHY, "text/plain"))
                .hasMessageContaining("requires authentication; run kinit");
    }

    @Test
    void aRefusalIsTheServersSentence() {
        refused(400, "{\"error\":{\"code\":7,\"message\":\"no account \\\"x\\\"\"}}", "no account \"x\"");
        refused(
                500,
                "{\"RemoteException\":{\"exception\":\"NotFoundException\",\"javaClassName\":\"a.b.C\",\"message\":"
                        + "\"java.lang.Exception: app with id 7 not found\"}}",
                "app with id 7 not found");
        refused(400, "<?xml version=\"1.0\"?><RemoteException><message>bad</message></RemoteException>", "bad");
        refused(503, "<html><title>Error 503</title></html>", web + " answers with status 503");
        refused(404, "there is no application 'x'\n", "there is no application 'x'");
    }

    private void refused(int status, String body, String sentence) {
        statuses.put("/page", status);
        pages.put("/page", body);
        assertThatThrownBy(() -> client(web).text("/page", "text/plain")).hasMessage(sentence);
    }

    @Test
    void anotherSchedulerIsNamed() {
        pages.put("/ws/v1/cluster/scheduler", "{\"scheduler\":{\"schedulerInfo\":{\"type\":\"fairScheduler\"}}}");
        assertThatThrownBy(() -> client(web).text(WHY, "text/plain"))
                .hasMessage("the ResourceManager at " + web + " runs FairScheduler, which does not answer this");
        pages.put("/conf", "{\"property\":{\"key\":\"k\",\"value\":\"org.heddle.drf.DrfScheduler\"}}");
        assertThatThrownBy(() -> client(web).text("/heddle/market/v1/price", "application/json"))
                .hasMessageContaining("runs DrfScheduler");
        assertThatThrownBy(() -> client(web).text(WHY, "text/plain")).hasMessage(web + " answers with status 404");
    }

    @Test
    void whoDoesNotAnswerIsNamedWithTheWayOut() throws IOException {
        assertThatThrownBy(() -> client("127.0.0.1:1").text(WHY, "text/plain"))
                .hasMessage("there is no answer from http://127.0.0.1:1: the connection was refused; give another one"
                        + " with --rm");
        assertThatThrownBy(() -> client("no.such.host.invalid:8088").text(WHY, "text/plain"))
                .hasMessageContaining("there is no such host");
        try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            URI address = URI.create("http://127.0.0.1:" + silent.getLocalPort() + "/secret/path");
            assertThatThrownBy(() -> new WebClient(List.of(address), Duration.ofMillis(50), "")
                            .send("POST", "/secret/path", "{}", Map.of()))
                    .hasMessage("there is no answer from http://127.0.0.1:" + silent.getLocalPort()
                            + ": it takes too long");
        }
    }

    @Test
    void anAnswerThatIsTooLargeIsNotReadToItsEnd() {
        byte[] mib = new byte[1024 * 1024];
        server.createContext("/large", exchange -> {
            exchange.sendResponseHeaders(200, 0);
            for (int i = 0; i <= LimitedText.MOST_MIB; i++) {
                exchange.getResponseBody().write(mib);
            }
            exchange.close();
        });

        assertThatThrownBy(() -> client(web).text("/large", "text/plain"))
                .isInstanceOf(IOException.class)
                .hasMessage("there is no answer from " + web
                        + ": its answer is larger than 64 MiB; give another one with --rm");
    }

    @Test
    void anAnswerOfAnotherKindIsFromAnotherServer() {
        pages.put(WHY, "<html><body>It works!</body></html>");
        assertThatThrownBy(() -> client(web).text(WHY, "text/plain"))
                .hasMessage(web + " answers with text/html instead of text/plain, so it is another server; give"
                        + " another one with --rm");
    }
}
