// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("pure")
class HeddleTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @TempDir
    Path directory;

    private int run(String... arguments) {
        return Heddle.run(new PrintWriter(out, true), new PrintWriter(err, true), arguments);
    }

    @Test
    void convertPrintsTheOtherFormatAndRemarks() throws Exception {
        Path fair = directory.resolve("fair-scheduler.xml");
        Files.writeString(
                fair, "<allocations><queue name=\"a\"><weight>3</weight><maxJobs>1</maxJobs></queue></allocations>");
        assertThat(run("convert", fair.toString(), "--key", "yarn.scheduler.fair.preemption=true"))
                .isZero();
        assertThat(out.toString())
                .contains("compatibility=\"fair-scheduler\"", "<weight>3</weight>", "<mode>on</mode>");
        assertThat(err.toString()).contains("<maxJobs>: is not known here and has no effect");

        Path heddle = directory.resolve("heddle-scheduler.xml");
        Files.writeString(heddle, out.toString());
        out.getBuffer().setLength(0);
        assertThat(run("convert", heddle.toString())).isZero();
        assertThat(out.toString()).startsWith("<?xml").contains("<allocations>", "<weight>3</weight>");
        assertThat(err.toString()).contains("these settings belong in yarn-site.xml");
    }

    @Test
    void whatCannotBeDoneIsOneSentence() throws Exception {
        Path broken = directory.resolve("broken.xml");
        Files.writeString(broken, "<allocations><queue name=\"a.b\"/></allocations>");
        assertThat(run("convert", broken.toString())).isEqualTo(1);
        assertThat(err.toString()).contains("must have no dot").doesNotContain("\tat ");
        assertThat(run("convert", directory.resolve("nowhere").toString())).isEqualTo(1);
        assertThat(err.toString()).contains("nowhere does not exist");
        assertThat(run("why", "job_1")).isEqualTo(2);
        assertThat(err.toString()).contains("job_1 is not an application id");
        assertThat(run("why", "application_1_0001", "--rm", "http://127.0.0.1:1"))
                .isEqualTo(1);
        assertThat(err.toString()).contains("no answer from http://127.0.0.1:1");
        assertThat(out.toString()).isEmpty();
    }

    @Test
    void whyPrintsWhatTheResourceManagerSays() throws Exception {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/heddle/v1/applications/application_1_0001/why", exchange -> {
            byte[] body = ("because; you asked for "
                            + exchange.getRequestHeaders().getFirst("Accept") + "\n")
                    .getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
        try {
            String rm = "http://127.0.0.1:" + server.getAddress().getPort() + "/";
            assertThat(run("why", "application_1_0001", "--rm", rm)).isZero();
            assertThat(out.toString()).isEqualTo("because; you asked for text/plain\n");
            assertThat(run("why", "application_1_0002", "--rm", rm)).isEqualTo(1);
            assertThat(err.toString())
                    .contains("heddle why: " + rm.replaceFirst("/$", "") + " answers with status 404");
        } finally {
            server.stop(0);
        }
    }
}
