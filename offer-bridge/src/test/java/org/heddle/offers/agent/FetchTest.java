// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.heddle.testkit.Await;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is fetched into a sandbox; {@code hadoop} is a script here that shows how it was called. */
class FetchTest {
    @TempDir
    private Path directory;

    private static LaunchSpec.Uri uri(String value, String outputFile) {
        return new LaunchSpec.Uri(value, false, true, outputFile);
    }

    private Map<String, String> hadoop(String script) throws IOException {
        Path command = Files.createDirectories(directory.resolve("hadoop/bin")).resolve("hadoop");
        Files.writeString(command, "#!/bin/sh\n" + script + "\n");
        Files.setPosixFilePermissions(command, PosixFilePermissions.fromString("rwx------"));
        return Map.of("HADOOP_HOME", directory.resolve("hadoop").toString());
    }

    private Path sandbox() throws IOException {
        return Files.createDirectories(directory.resolve("s/tasks/one"));
    }

    private void fetch(LaunchSpec.Uri uri, Map<String, String> agents) throws IOException {
        new Fetch(directory.resolve("s"), agents, Map.of()).fetch(uri, sandbox());
    }

    private String problem(String value) {
        try {
            fetch(uri(value, ""), Map.of());
            return "";
        } catch (IOException e) {
            return String.valueOf(e.getMessage());
        }
    }

    @Test
    void otherFileSystemsAreReadWithTheNodesOwnClient() throws IOException {
        fetch(uri("hdfs://nn:8020/apps/run.sh", ""), hadoop("echo \"$1 $2 $3\" > \"$4\""));
        assertThat(sandbox().resolve("run.sh")).hasContent("fs -copyToLocal hdfs://nn:8020/apps/run.sh");
        assertThat(sandbox().resolve("run.sh")).isExecutable();
    }

    @Test
    void whatGoesWrongIsSaid() throws IOException {
        assertThat(problem("hdfs://nn:8020/apps/run.sh"))
                .contains("hdfs://nn:8020/apps/run.sh", "neither in HADOOP_HOME nor on the PATH");
        Map<String, String> failing = hadoop("exit 3");
        assertThatThrownBy(() -> fetch(uri("s3a://bucket/run.sh", "x"), failing))
                .hasMessageContaining("s3a://bucket/run.sh")
                .hasMessageContaining("ended with 3");
        assertThatThrownBy(() -> fetch(uri("hdfs://nn/run.sh", "../../x"), failing))
                .hasMessageContaining("outside of the sandbox");
        assertThat(problem("file:x")).isEqualTo("uri file:x has no path: want for example file:///path or /path");
        assertThat(problem("http://[")).startsWith("uri http://[ is not valid: ");
        assertThat(problem(directory.toString())).endsWith(" is a directory: want a file");
        assertThat(problem("/dev/zero")).isEqualTo("uri /dev/zero is no regular file of this node: want a file");
        assertThat(problem("/nonexistent/x")).endsWith(" is no regular file of this node: want a file");
    }

    @Test
    void anAnswerThatIsAnErrorIsSaid() throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            boolean known = exchange.getRequestURI().getPath().equals("/a b.txt");
            exchange.sendResponseHeaders(known ? 200 : 404, -1);
            exchange.close();
        });
        server.start();
        try {
            String address = "http://127.0.0.1:" + server.getAddress().getPort();
            assertThat(problem(address + "/missing"))
                    .isEqualTo("uri " + address + "/missing: the server answered 404 Not Found");
            assertThat(problem(address + "/a b.txt")).isEmpty();
            assertThat(sandbox().resolve("a b.txt")).exists();
        } finally {
            server.stop(0);
        }
    }

    /** Its server is killed, or sends to an address of another protocol. */
    @Test
    void aFileIsWholeOrTheTaskFails() throws Exception {
        try (ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            String address = "127.0.0.1:" + server.getLocalPort();
            assertThat(answered(server, "200 OK\r\nContent-Length: 10\r\n\r\nhalf"))
                    .isEqualTo("uri http://" + address + "/x: the connection ended after 4 of 10 bytes");
            assertThat(answered(server, "200 OK\r\nTransfer-Encoding: chunked\r\n\r\n10\r\nhalf"))
                    .startsWith("uri http://" + address + "/x: ");
            assertThat(answered(server, "302 Found\r\nContent-Length: 0\r\n\r\n"))
                    .endsWith(": the server answered 302 Found");
            assertThat(answered(
                            server, "302 Found\r\nLocation: https://" + address + "/y\r\nContent-Length: 1\r\n\r\nx"))
                    .as("goes there")
                    .doesNotContain("302")
                    .contains("SSL");
            assertThat(answered(server, "302 Found\r\nLocation: file:///etc/passwd\r\nContent-Length: 0\r\n\r\n"))
                    .endsWith("the server sends to file:///etc/passwd, which is not of http or https");
        }
    }

    /** What is said of a file whose server gives this answer, and ends. */
    private String answered(ServerSocket server, String answer) {
        CompletableFuture<String> said =
                CompletableFuture.supplyAsync(() -> problem("http://127.0.0.1:" + server.getLocalPort() + "/x"));
        try {
            String head = "HTTP/1.1 " + answer;
            server.setSoTimeout(100);
            while (!said.isDone()) {
                try (Socket client = server.accept()) {
                    client.getInputStream().read(new byte[1_000]);
                    client.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));
                    head = "no TLS\r\n\r\n";
                } catch (SocketTimeoutException e) {
                    // It may be done.
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return said.join();
    }

    @Test
    void namesMayHaveColonsAndSpaces() throws Exception {
        Path packed = Files.createDirectories(directory.resolve("to pack"));
        Files.writeString(packed.resolve("inner"), "1");
        Path archive = packed.resolve("app-10:30:00.tgz");
        Process tar = new ProcessBuilder("tar", "-czf", "./" + archive.getFileName(), "inner")
                .directory(packed.toFile())
                .start();
        assertThat(tar.waitFor()).isZero();
        for (String value : new String[] {archive.toString(), "file://" + archive}) {
            Files.deleteIfExists(sandbox().resolve("inner"));
            fetch(new LaunchSpec.Uri(value, true, false, ""), Map.of());
            assertThat(sandbox().resolve("inner")).as(value).hasContent("1");
        }
    }

    @Test
    void aCommandThatFetchesEndsWhenItIsCancelled() throws Exception {
        Fetch fetch = new Fetch(directory.resolve("s"), hadoop("echo > ../../started; exec sleep 1000"), Map.of());
        Path sandbox = sandbox();
        CompletableFuture<String> result = CompletableFuture.supplyAsync(() -> {
            try {
                fetch.fetch(uri("hdfs://nn/x", ""), sandbox);
                return "";
            } catch (IOException e) {
                return String.valueOf(e.getMessage());
            }
        });
        Await.until("the command to run", Duration.ofSeconds(60), () -> Files.exists(directory.resolve("s/started")));
        fetch.cancel();
        assertThat(result.get(60, TimeUnit.SECONDS)).startsWith("killed while it fetched");
    }
}
