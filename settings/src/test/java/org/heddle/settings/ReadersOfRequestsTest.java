// SPDX-License-Identifier: Apache-2.0
package org.heddle.settings;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * Which classes open a port, or read what clients send to one. A class that reads the body of a request by itself can
 * let a stranger hold its thread or fill its memory. It looks at the sources, so that no module can forget it. Whoever
 * adds a class here says in docs/security.md what bounds it.
 */
class ReadersOfRequestsTest {
    /** Opens a port, or reads bytes of a connection to one. */
    private static final Pattern PORT = Pattern.compile(
            "new ServerSocket\\(|ServerSocketFactory|ServerSocketChannel\\.open"
                    + "|AsynchronousServerSocketChannel|ServerBootstrap\\b|HttpServer\\.create|HttpsServer\\.create"
                    + "|HttpServer2\\.Builder|RPC\\.Builder|new ServerConnector|getRequestBody\\(|HttpObjectAggregator"
                    + "|HttpServerCodec|extends HttpRequestDecoder|LengthFieldBasedFrameDecoder|HttpContentDecompressor");

    /** In a servlet, filter or web service. The forms of {@code getParameter} read the body of a form. */
    private static final Pattern SERVLET = Pattern.compile(
            "[rR]equest\\)?\\s*\\.get(InputStream|Reader|Parts?|Parameter\\w*)\\("
                    + "|asked\\.get(InputStream|Reader|Parts?|Parameter\\w*)\\(|setReadListener|ContainerRequestContext|@Consumes|@FormParam");

    private static final Pattern SERVLETS = Pattern.compile("(javax|jakarta)\\.(servlet|ws\\.rs)\\b");

    /** Modules whose ports are open in tests and measurements only. */
    private static final Pattern NOT_SERVED = Pattern.compile("(testkit|acceptance|benchmarks)/.*");

    private static final List<String> READERS = List.of(
            "dynamic-priority-scheduler/src/main/java/org/heddle/market/http/BodyReader.java",
            "drf-scheduler/src/main/java/org/heddle/scheduler/http/HeddleWebServices.java",
            "drf-scheduler/src/main/java/org/heddle/scheduler/http/SchedulerServlet.java",
            "offer-bridge/src/main/java/org/heddle/offers/agent/ExecutorEndpoint.java",
            "offer-bridge/src/main/java/org/heddle/offers/http/AgentServer.java",
            "offer-bridge/src/main/java/org/heddle/offers/http/ApiServer.java",
            "offer-bridge/src/main/java/org/heddle/offers/http/NettyServer.java",
            "offer-bridge/src/main/java/org/heddle/offers/http/StrictHttpCodec.java",
            "offer-bridge/frameworks/src/main/java/org/heddle/frameworks/gang/Gate.java");

    private static boolean reads(String source) {
        return PORT.matcher(source).find()
                || (SERVLETS.matcher(source).find() && SERVLET.matcher(source).find());
    }

    @Test
    void onlyTheseReadWhatClientsSend() throws IOException {
        Set<String> found = new TreeSet<>(ProjectSources.java(ReadersOfRequestsTest::reads));
        found.removeIf(name -> NOT_SERVED.matcher(name).matches());
        assertThat(found)
                .as("another class opens a port or reads requests: use BodyReader in servlets, ApiServer for a port")
                .containsExactlyInAnyOrderElementsOf(READERS);
    }

    @Test
    void everyReaderIsInTheDocuments() throws IOException {
        String documents = Files.readString(ProjectSources.ROOT.resolve("docs/security.md"));
        String table = documents.substring(documents.indexOf("### Readers of requests"));
        assertThat(READERS)
                .allSatisfy(file -> assertThat(table)
                        .contains("`" + Path.of(file).getFileName().toString().replace(".java", "") + "`"));
    }

    @Test
    void anotherReaderIsNoticed() {
        String servlet = "import javax.servlet.http.HttpServletRequest;\n";
        assertThat(List.of(
                        "new ServerSocket(0)",
                        "HttpServer.create(address, 0)",
                        "exchange.getRequestBody().readAllBytes()",
                        "new HttpObjectAggregator(1 << 20)",
                        servlet + "request.getInputStream().readAllBytes()",
                        servlet + "httpRequest.getReader()",
                        servlet + "((HttpServletRequest) request).getParameter(name)",
                        servlet + "request\n    .getPart(name)",
                        "import javax.ws.rs.Consumes;\n@Consumes(JSON)"))
                .allMatch(ReadersOfRequestsTest::reads);
        assertThat(List.of(
                        "process.getInputStream()",
                        servlet + "process.getInputStream()",
                        servlet + "request.getHeader(name)",
                        "request.getParameter()"))
                .noneMatch(ReadersOfRequestsTest::reads);
    }
}
