// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.heddle.testkit.Await;
import org.heddle.testkit.attack.SlowClients;
import org.junit.jupiter.api.Test;

/** Processes of the same node that call an executor's port and do not finish their requests. */
class ExecutorEndpointTest {
    private static final int CONNECTIONS = 150;
    private static final String HEAD = "POST /api/v1/executor HTTP/1.1\r\nHost: h\r\n";
    private static final String TOKEN = "t";

    /** The limits of the JDK's server are those of a process. */
    public static final class Endpoint {
        private Endpoint() {}

        @SuppressWarnings("SystemOut") // the test reads it
        public static void main(String[] arguments) throws IOException {
            ExecutorEndpoint endpoint = new ExecutorEndpoint("key", new Outbox(), TOKEN);
            System.out.println(endpoint.address());
            System.in.read();
            endpoint.close();
            System.exit(0);
        }
    }

    @Test
    void unfinishedRequestsOfOthersEndAndHoldFewThreads() throws Exception {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Dsun.net.httpserver.maxReqTime=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Endpoint.class.getName())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try (BufferedReader out = process.inputReader()) {
            String address = out.readLine();
            int port = Integer.parseInt(address.substring(address.indexOf(':') + 1));
            try (SlowClients strangers = new SlowClients(port)) {
                assertThat(SlowClients.status(strangers.send(HEAD + "Content-Length: 9\r\n\r\n")))
                        .as("without the token, before the body")
                        .startsWith("HTTP/1.1 401");
                List<Socket> held = new ArrayList<>(strangers.send(CONNECTIONS / 2, HEAD));
                held.addAll(strangers.send(
                        CONNECTIONS / 2, HEAD + "Authorization: Bearer " + TOKEN + "\r\nContent-Length: 9\r\n\r\nx"));
                assertThat(threads(process)).isLessThan(CONNECTIONS);
                for (Socket socket : held) {
                    assertThat(ended(socket)).isTrue();
                }
                Await.until(
                        "others are served",
                        Duration.ofSeconds(30),
                        () -> SlowClients.status(strangers.send("GET /api/v1/executor HTTP/1.1\r\nHost: h\r\n\r\n"))
                                .startsWith("HTTP/1.1 405"));
            }
        } finally {
            process.destroyForcibly();
        }
    }

    private static long threads(Process process) throws IOException {
        return Files.readAllLines(Path.of("/proc", Long.toString(process.pid()), "status")).stream()
                .filter(line -> line.startsWith("Threads:"))
                .mapToLong(line ->
                        Long.parseLong(line.substring("Threads:".length()).strip()))
                .sum();
    }

    /** Whether the other side closes the connection; a reset is an end too. */
    private static boolean ended(Socket socket) throws IOException {
        try {
            socket.getInputStream().readAllBytes();
            return true;
        } catch (SocketException e) {
            return true;
        }
    }
}
