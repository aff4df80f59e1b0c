// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import javax.servlet.http.HttpServlet;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.servlet.ServletContextHandler;
import org.eclipse.jetty.servlet.ServletHolder;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.heddle.market.security.RefusedException;
import org.heddle.testkit.Await;
import org.heddle.testkit.attack.SlowClients;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Bodies that come slowly, on the sockets of a web server with few threads. */
class BodyReaderTest {
    private static final int THREADS = 8;
    private static final int LARGEST = 1_000;
    private static final long LONG = 600_000;
    private static final String HEAD = "POST / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n";

    private final AtomicInteger waiting = new AtomicInteger();
    private Server server = new Server();
    private SlowClients clients = new SlowClients(0);

    @AfterEach
    void stop() throws Exception {
        clients.close();
        server.stop();
    }

    private void start(BodyReader.Limits limits) throws Exception {
        BodyReader reader = new BodyReader(limits);
        server = new Server(new QueuedThreadPool(THREADS));
        ServerConnector connector = new ServerConnector(server, 1, 1);
        connector.setHost("127.0.0.1");
        server.addConnector(connector);
        ServletContextHandler context = new ServletContextHandler(server, "/");
        context.addServlet(new ServletHolder(new Echo(reader, waiting)), "/");
        server.start();
        clients = new SlowClients(connector.getLocalPort());
    }

    /** Answers with the body, or with the reason why there is none. */
    private static final class Echo extends HttpServlet {
        private static final long serialVersionUID = 1L;

        private final transient BodyReader reader;
        private final transient AtomicInteger waiting;

        Echo(BodyReader reader, AtomicInteger waiting) {
            this.reader = reader;
            this.waiting = waiting;
        }

        @Override
        protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
            if (!BodyReader.announced(request)) {
                write(response, 200, "nothing");
                return;
            }
            try {
                reader.read(request, String.valueOf(request.getHeader("Caller")), body -> answer(response, body));
                waiting.incrementAndGet();
            } catch (RefusedException e) {
                BodyReader.leaveUnread(request, response);
                write(response, e.kind().status(), e.sentence());
            }
        }

        private static void answer(HttpServletResponse response, BodyReader.Body body) throws IOException {
            try {
                write(response, 200, new String(body.bytes(), StandardCharsets.UTF_8));
            } catch (RefusedException e) {
                write(response, e.kind().status(), e.sentence());
            }
        }

        private static void write(HttpServletResponse response, int status, String text) throws IOException {
            response.setStatus(status);
            response.getOutputStream().write(text.getBytes(StandardCharsets.UTF_8));
        }
    }

    private static String body(String content) {
        return "Content-Length: " + content.length() + "\r\n\r\n" + content;
    }

    private void untilWaiting(int requests) throws Exception {
        Await.until("the server to wait for bodies", Duration.ofSeconds(30), () -> waiting.get() >= requests);
    }

    @Test
    void aBodyInPartsIsReadWhole() throws Exception {
        start(new BodyReader.Limits(LARGEST, LONG, 10, 10));
        Socket honest = clients.send(HEAD + "Content-Length: 9\r\n\r\n");
        for (String part : List.of("one", "two", "six")) {
            SlowClients.send(honest, part);
        }
        assertThat(SlowClients.answer(honest)).startsWith("HTTP/1.1 200").endsWith("onetwosix");
        Socket chunked = clients.send(HEAD + "Transfer-Encoding: chunked\r\n\r\n3\r\none\r\n");
        untilWaiting(2);
        SlowClients.send(chunked, "3\r\ntwo\r\n0\r\n\r\n");
        assertThat(SlowClients.answer(chunked)).startsWith("HTTP/1.1 200").endsWith("onetwo");
    }

    @Test
    void slowBodiesHoldNoThread() throws Exception {
        start(new BodyReader.Limits(LARGEST, LONG, 500, 500));
        clients.send(300, HEAD + "Content-Length: 9\r\n\r\no");
        untilWaiting(300);
        assertThat(SlowClients.answer(clients.send(HEAD + "\r\n"))).endsWith("nothing");
        assertThat(SlowClients.answer(clients.send(HEAD + body("quick")))).endsWith("quick");
    }

    @Test
    void aBodyThatTakesTooLongIsEndedHoweverSteadilyItComes() throws Exception {
        start(new BodyReader.Limits(LARGEST, 300, 10, 10));
        // Without a first byte the web server calls no servlet, and ends the connection by its own idle timeout.
        Socket silent = clients.send(HEAD + "Content-Length: 900\r\n\r\nx");
        assertThat(SlowClients.answer(silent))
                .startsWith("HTTP/1.1 408")
                .contains("Connection: close")
                .endsWith("the body did not come within 0.3 s; send it faster");
        Socket dribbling = clients.send(HEAD + "Content-Length: 900\r\n\r\n");
        dribbling.setSoTimeout(10);
        assertThat(answerWhileSending(dribbling, 900)).isEqualTo("HTTP/1.1 408 Request Timeout");
    }

    /** Sends a byte whenever the read has waited for its timeout. */
    private static String answerWhileSending(Socket socket, int most) throws IOException {
        for (int i = 0; i < most; i++) {
            SlowClients.send(socket, "x");
            try {
                return SlowClients.status(socket);
            } catch (SocketTimeoutException e) {
                assertThat(i).as("bytes were taken").isLessThan(most - 1);
            }
        }
        throw new AssertionError("unreachable");
    }

    @Test
    void aLargeBodyIsDroppedAndAVeryLargeOneIsNotRead() throws Exception {
        start(new BodyReader.Limits(LARGEST, LONG, 10, 10));
        assertThat(SlowClients.answer(clients.send(HEAD + body("x".repeat(LARGEST)))))
                .startsWith("HTTP/1.1 200");
        assertThat(SlowClients.answer(clients.send(HEAD + body("x".repeat(LARGEST + 1)))))
                .startsWith("HTTP/1.1 413")
                .endsWith("the body is larger than 1000 bytes; send less");
        assertThat(SlowClients.answer(clients.send(HEAD + "Content-Length: 9000000\r\n\r\nx")))
                .startsWith("HTTP/1.1 413")
                .contains("Connection: close");
    }

    @Test
    void onlySoManyBodiesAreReadAtOnce() throws Exception {
        start(new BodyReader.Limits(LARGEST, LONG, 3, 2));
        String alice = HEAD + "Caller: alice\r\nContent-Length: 2\r\n\r\n1";
        List<Socket> held = clients.send(2, alice);
        untilWaiting(2);
        assertThat(SlowClients.answer(clients.send(alice)))
                .startsWith("HTTP/1.1 503")
                .contains("too many bodies of requests of alice are being read");
        clients.send(HEAD + "Caller: bob\r\nContent-Length: 2\r\n\r\n1");
        untilWaiting(3);
        String carol = HEAD + "Caller: carol\r\n" + body("hi");
        assertThat(SlowClients.answer(clients.send(carol)))
                .startsWith("HTTP/1.1 503")
                .contains("too many bodies of requests are being read");

        SlowClients.send(held.get(0), "2");
        assertThat(SlowClients.answer(held.get(0))).startsWith("HTTP/1.1 200").endsWith("12");
        assertThat(SlowClients.answer(clients.send(carol))).startsWith("HTTP/1.1 200");
    }

    @Test
    void aClientThatGoesAwayLeavesItsPlace() throws Exception {
        start(new BodyReader.Limits(LARGEST, LONG, 1, 1));
        Socket half = clients.send(HEAD + "Content-Length: 2\r\n\r\n1");
        untilWaiting(1);
        half.shutdownOutput();
        assertThat(SlowClients.answer(half))
                .startsWith("HTTP/1.1 400")
                .endsWith("the body is incomplete; send it again");
        Socket gone = clients.send(HEAD + "Content-Length: 2\r\n\r\n1");
        untilWaiting(2);
        gone.close();
        Await.until(
                "the place of a client that is gone",
                Duration.ofSeconds(30),
                () -> SlowClients.answer(clients.send(HEAD + body("hi"))).startsWith("HTTP/1.1 200"));
    }
}
