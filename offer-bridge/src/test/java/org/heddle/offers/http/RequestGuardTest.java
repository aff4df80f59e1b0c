// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.heddle.testkit.Await;
import org.heddle.testkit.attack.SlowClients;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Requests on a real socket, byte by byte. What comes through is answered 200 with the principal. */
class RequestGuardTest {
    private static final int CONNECTIONS = 20;

    private static final String PROVEN = "GET / HTTP/1.1\r\nHost: h\r\nAuthorization: Basic "
            + Base64.getEncoder().encodeToString("known:a long secret".getBytes(StandardCharsets.UTF_8)) + "\r\n\r\n";

    private static final ApiServer OPEN = new ApiServer();
    private static final ApiServer GUARDED = new ApiServer();
    private static InetSocketAddress openAddress;
    private static InetSocketAddress guardedAddress;
    private static Path credentials;

    @BeforeAll
    static void begin(@TempDir Path directory) throws IOException {
        Path file = directory.resolve("credentials");
        Files.writeString(
                file, "heddle-credentials 1\n" + Credentials.line("known", "a long secret".toCharArray(), "*") + "\n");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
        credentials = file;
        openAddress = serve(OPEN, null, 60_000);
        guardedAddress = serve(GUARDED, Credentials.read(file), 60_000);
    }

    private static InetSocketAddress serve(ApiServer server, @Nullable Credentials credentials, long requestMillis)
            throws IOException {
        return server.open(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                new ApiServer.Limits(1_000, CONNECTIONS, CONNECTIONS, requestMillis, 600_000),
                null,
                () -> new ApiServer.Route(new RequestGuard(credentials, "bridge.example"), new Echo()));
    }

    private static final class Echo extends SimpleChannelInboundHandler<FullHttpRequest> {
        @Override
        protected void channelRead0(ChannelHandlerContext context, FullHttpRequest request) {
            Responses.send(
                    context,
                    HttpResponseStatus.OK,
                    "principal '"
                            + context.channel().attr(RequestGuard.PRINCIPAL).get() + "'");
        }
    }

    @AfterAll
    static void end() {
        OPEN.close();
        GUARDED.close();
    }

    /** Sends the text and reads one answer. */
    private static String exchange(InetSocketAddress to, String request) throws IOException {
        try (Socket socket = new Socket(to.getAddress(), to.getPort())) {
            socket.setSoTimeout(60_000);
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            return answer(socket.getInputStream());
        }
    }

    /** One answer with its body. */
    private static String answer(InputStream in) throws IOException {
        StringBuilder head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            int next = in.read();
            if (next < 0) {
                return head.toString();
            }
            head.append((char) next);
        }
        String lower = head.toString().toLowerCase(java.util.Locale.ROOT);
        int at = lower.indexOf("content-length: ");
        int length = at < 0
                ? 0
                : Integer.parseInt(
                        lower.substring(at + 16, lower.indexOf('\r', at)).strip());
        return head + new String(in.readNBytes(length), StandardCharsets.UTF_8);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "localhost:5050      |                       | 200",
                "127.0.0.1           |                       | 200",
                "[::1]:5050          |                       | 200",
                "Bridge.Example:5050 |                       | 200",
                "evil.example        |                       | 403",
                "evil.example:5050   | http://evil.example:5050 | 403",
                "localhost:5050      | http://localhost:5050 | 200",
                "localhost:5050      | http://evil.example   | 403",
                "localhost:5050      | null                  | 403",
            })
    void withoutCredentialsABrowserCannotBeMadeToCall(String host, @Nullable String origin, int status)
            throws IOException {
        String request = "POST / HTTP/1.1\r\nHost: " + host + "\r\n"
                + (origin == null ? "" : "Origin: " + origin + "\r\n") + "Content-Length: 2\r\n\r\n{}";
        assertThat(exchange(openAddress, request)).startsWith("HTTP/1.1 " + status);
    }

    @Test
    void aRequestWithTwoLengthsIsNotValid() throws IOException {
        assertThat(
                        exchange(
                                openAddress,
                                "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"))
                .startsWith("HTTP/1.1 400");
    }

    private static String basic(String pair) {
        return "Authorization: Basic " + Base64.getEncoder().encodeToString(pair.getBytes(StandardCharsets.UTF_8))
                + "\r\n";
    }

    @Test
    void onlyAProvenPrincipalComesThrough() throws IOException {
        String post = "POST /x HTTP/1.1\r\nHost: any.example\r\nContent-Length: 2\r\n";
        assertThat(exchange(guardedAddress, post + basic("known:a long secret") + "\r\n{}"))
                .startsWith("HTTP/1.1 200")
                .endsWith("principal 'known'");
        assertThat(exchange(guardedAddress, post + basic("known:a long secret") + "\r\n{}"))
                .as("from the cache")
                .endsWith("principal 'known'");
        assertThat(exchange(guardedAddress, post + basic("known:another secret") + "\r\n{}"))
                .startsWith("HTTP/1.1 401");
        assertThat(exchange(guardedAddress, post + basic("unknown:a long secret") + "\r\n{}"))
                .startsWith("HTTP/1.1 401");
        assertThat(exchange(guardedAddress, post + "\r\n{}")).startsWith("HTTP/1.1 401");
        assertThat(exchange(guardedAddress, "GET /health HTTP/1.1\r\nHost: any.example\r\n\r\n"))
                .startsWith("HTTP/1.1 200");
        assertThat(exchange(
                        guardedAddress, "POST /health HTTP/1.1\r\nHost: any.example\r\nContent-Length: 2\r\n\r\n{}"))
                .as("no body before authentication")
                .startsWith("HTTP/1.1 401");
    }

    /** A hash takes about 100 ms of a core: on the threads of the network, all others would wait for it. */
    @Test
    void wrongSecretsDoNotKeepOutWhoWasNotSeenBefore() throws IOException {
        Credentials checked = Credentials.read(credentials);
        try (ApiServer server = new ApiServer()) {
            InetSocketAddress address = server.open(
                    new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                    new ApiServer.Limits(1_000, 200, 200, 60_000, 600_000),
                    null,
                    () -> new ApiServer.Route(new RequestGuard(checked, "bridge.example"), new Echo()));
            try (SlowClients clients = new SlowClients(address.getPort())) {
                List<Socket> wrong = new ArrayList<>();
                for (int i = 0; i < 64; i++) {
                    wrong.add(
                            clients.send("GET /x HTTP/1.1\r\nHost: h\r\n" + basic("known:wrong secret " + i) + "\r\n"));
                }
                assertThat(exchange(address, "GET /health HTTP/1.1\r\nHost: h\r\n\r\n"))
                        .startsWith("HTTP/1.1 200");
                assertThat(exchange(address, PROVEN)).startsWith("HTTP/1.1 200");
                int answered = 0;
                for (Socket socket : wrong) {
                    answered += socket.getInputStream().available() > 0 ? 1 : 0;
                }
                assertThat(answered)
                        .as("wrong secrets checked before the right one")
                        .isLessThan(48);
            }
        }
    }

    @Test
    void aPrincipalThatTheFileDoesNotHaveTakesAsMuchWork(@TempDir Path directory) throws IOException {
        Path file = directory.resolve("credentials");
        Files.writeString(
                file,
                "heddle-credentials 1\n"
                        + Credentials.line("known", "a long secret".toCharArray(), "*")
                                .replace(":210000:", ":300000:")
                        + "\n");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
        Credentials changed = Credentials.read(file);
        assertThat(changed.iterations("known")).isEqualTo(300_000);
        assertThat(changed.iterations("unknown")).isEqualTo(300_000);
    }

    @Test
    void aRefusedRequestIsAnsweredBeforeItsBodyAndTheNextOneIsRead() throws IOException {
        try (Socket socket = new Socket(guardedAddress.getAddress(), guardedAddress.getPort())) {
            socket.setSoTimeout(60_000);
            socket.getOutputStream()
                    .write("POST /x HTTP/1.1\r\nHost: h\r\nContent-Length: 900\r\n\r\n"
                            .getBytes(StandardCharsets.US_ASCII));
            assertThat(answer(socket.getInputStream())).startsWith("HTTP/1.1 401");
            socket.getOutputStream()
                    .write((" ".repeat(900) + "GET /x HTTP/1.1\r\nHost: h\r\n" + basic("known:a long secret") + "\r\n")
                            .getBytes(StandardCharsets.US_ASCII));
            assertThat(answer(socket.getInputStream())).endsWith("principal 'known'");
        }
    }

    @Test
    void aConnectionWithoutAPrincipalIsNotKeptAfterARefusal() throws IOException {
        Credentials nobody = Credentials.read(credentials);
        try (ApiServer server = new ApiServer()) {
            InetSocketAddress address = serve(server, nobody, 3_000);
            try (Socket socket = new Socket(address.getAddress(), address.getPort())) {
                socket.setSoTimeout(60_000);
                socket.getOutputStream()
                        .write("POST /x HTTP/1.1\r\nHost: h\r\nContent-Length: 2\r\n\r\n"
                                .getBytes(StandardCharsets.US_ASCII));
                assertThat(answer(socket.getInputStream())).startsWith("HTTP/1.1 401");
                socket.getOutputStream().write("{}".getBytes(StandardCharsets.US_ASCII));
                assertThat(socket.getInputStream().read()).as("closed").isEqualTo(-1);
            }
        }
    }

    @Test
    void oneAddressCannotTakeAllPlaces() throws Exception {
        Credentials principals = Credentials.read(credentials);
        try (ApiServer server = new ApiServer()) {
            InetSocketAddress address = server.open(
                    new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                    new ApiServer.Limits(1_000, CONNECTIONS, 2, 60_000, 600_000),
                    null,
                    () -> new ApiServer.Route(new RequestGuard(principals, "bridge.example"), new Echo()));
            try (SlowClients clients = new SlowClients(address.getPort())) {
                Socket known = clients.send(PROVEN);
                assertThat(SlowClients.status(known)).isEqualTo("HTTP/1.1 200 OK");
                // Which of three has no place is the server's choice.
                List<Socket> unfinished = new ArrayList<>(clients.send(3, "GET / HT"));
                Await.until(
                        "one has no place",
                        Duration.ofSeconds(30),
                        () -> unfinished.removeIf(RequestGuardTest::isClosed));
                assertThat(unfinished).hasSize(2);
                try (Socket elsewhere =
                        new Socket(address.getAddress(), address.getPort(), InetAddress.getByName("127.0.0.2"), 0)) {
                    SlowClients.send(elsewhere, PROVEN);
                    assertThat(SlowClients.status(elsewhere)).isEqualTo("HTTP/1.1 200 OK");
                }
                unfinished.get(0).close();
                Await.until(
                        "a place is free again",
                        Duration.ofSeconds(30),
                        () -> SlowClients.status(clients.send(PROVEN)).equals("HTTP/1.1 200 OK"));
            }
        }
    }

    /** Whether the server has ended a connection on which it has sent nothing. */
    private static boolean isClosed(Socket socket) {
        try {
            socket.setSoTimeout(50);
            return socket.getInputStream().read() < 0;
        } catch (SocketTimeoutException e) {
            return false;
        } catch (IOException e) {
            return true;
        }
    }

    @Test
    void aStandbyKeepsNothingOfABody() throws Exception {
        try (ApiServer server = new ApiServer()) {
            InetSocketAddress address = server.open(
                    new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                    new ApiServer.Limits(1_000, CONNECTIONS, CONNECTIONS, 60_000, 600_000),
                    null,
                    () -> new ApiServer.Route(new StandbyRouter(() -> "leader:1"), null));
            try (SlowClients clients = new SlowClients(address.getPort())) {
                String head = "POST /x HTTP/1.1\r\nHost: h\r\n";
                String large = "x".repeat(100_000);
                assertThat(SlowClients.answer(clients.send(head + "Content-Length: 100000\r\n\r\n" + large)))
                        .startsWith("HTTP/1.1 307")
                        .containsIgnoringCase("location: //leader:1/x");
                assertThat(SlowClients.answer(clients.send(head + "Content-Length: 9\r\nExpect: 100-continue\r\n\r\n")))
                        .startsWith("HTTP/1.1 307");
            }
        }
    }

    @Test
    void requestsThatDoNotEndKeepNobodyOut() throws IOException {
        List<Socket> unfinished = new ArrayList<>();
        ApiServer server = new ApiServer();
        try {
            InetSocketAddress address = serve(server, null, 500);
            for (int i = 0; i < CONNECTIONS; i++) {
                Socket socket = new Socket(address.getAddress(), address.getPort());
                unfinished.add(socket);
                socket.getOutputStream()
                        .write((i % 2 == 0
                                        ? "POST / HT"
                                        : "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n")
                                .getBytes(StandardCharsets.US_ASCII));
            }
            Await.until("others are served", Duration.ofSeconds(30), () -> {
                try {
                    return exchange(address, "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
                            .startsWith("HTTP/1.1 200");
                } catch (IOException e) {
                    return false;
                }
            });
        } finally {
            server.close();
            for (Socket socket : unfinished) {
                socket.close();
            }
        }
    }
}
