// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.heddle.scheduler.snapshot.History;
import org.heddle.scheduler.snapshot.Waiting;
import org.heddle.testkit.Await;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code bin/heddle} as a user starts it, with the packaged jar. */
class CommandIT {
    private static final Path SCRIPT = Path.of("..", "bin", "heddle");

    @TempDir
    Path directory;

    private record Outcome(int code, String out, String err) {}

    private Outcome run(String... arguments) throws Exception {
        List<String> line = new ArrayList<>(List.of(SCRIPT.toString()));
        line.addAll(List.of(arguments));
        return start(line);
    }

    /** As a service manager starts it, without a locale. */
    private Outcome start(List<String> line) throws Exception {
        return start(line, Map.of());
    }

    private Outcome start(List<String> line, Map<String, String> locale) throws Exception {
        Path out = directory.resolve("out");
        Path err = directory.resolve("err");
        ProcessBuilder builder =
                new ProcessBuilder(line).redirectOutput(out.toFile()).redirectError(err.toFile());
        builder.environment().keySet().removeIf(name -> name.matches("LANG|LC_.*"));
        builder.environment().putAll(locale);
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        Process process = builder.start();
        int code = Await.exit("the command", Duration.ofSeconds(60), process);
        return new Outcome(
                code, Files.readString(out, StandardCharsets.UTF_8), Files.readString(err, StandardCharsets.UTF_8));
    }

    @Test
    void convertsThereAndBack() throws Exception {
        Path fair = Files.writeString(
                directory.resolve("fair-scheduler.xml"),
                "<allocations><queue name=\"a\"><weight>3</weight></queue></allocations>");
        Outcome there = run("convert", fair.toString());
        assertThat(there.code()).as(there.err()).isZero();
        assertThat(there.out()).contains("<heddle-scheduler", "<weight>3</weight>");
        Path heddle = Files.writeString(directory.resolve("heddle-scheduler.xml"), there.out());
        Outcome back = run("convert", heddle.toString());
        assertThat(back.code()).as(back.err()).isZero();
        assertThat(back.out()).contains("<allocations>", "<weight>3</weight>");
    }

    /** Written for the shell byte by byte: this JVM may have no locale either. */
    @ParameterizedTest
    @ValueSource(strings = {"", "LANG=POSIX", "LC_ALL=POSIX", "LC_ALL=C"})
    void namesOfFilesAndOutputAreUtf8(String locale) throws Exception {
        String name = "t\\303\\242che \\342\\202\\254.xml";
        String line = "cd \"$1\" && echo '<allocations><queue name=\"a\"/></allocations>' > $'" + name
                + "' && \"$2\" check $'" + name + "'";
        Outcome check = start(
                List.of(
                        "bash",
                        "-c",
                        line,
                        "bash",
                        directory.toString(),
                        SCRIPT.toAbsolutePath().toString()),
                locale.isEmpty() ? Map.of() : Map.of(locale.split("=", 2)[0], locale.split("=", 2)[1]));
        assertThat(check.code()).as(check.err()).isZero();
        assertThat(check.out()).contains("t\u00e2che \u20ac.xml: ");
    }

    @Test
    void checksAFileAndAnInstallationWithoutHadoop() throws Exception {
        Path heddle = Files.writeString(
                directory.resolve("heddle-scheduler.xml"),
                "<heddle-scheduler version=\"1\"><queue name=\"root\"><queue name=\"a\"/></queue></heddle-scheduler>");
        Outcome check = run("check", heddle.toString());
        assertThat(check.code()).as(check.err()).isZero();
        assertThat(check.out()).contains("no problem", "order drf");
        Outcome json = run("check", heddle.toString(), "--json");
        assertThat(json.code()).as(json.err()).isZero();
        assertThat(json.out()).contains("\"withoutEffect\"");
        Outcome doctor = run("doctor", "--conf-dir", directory.toString(), "--rm", "http://127.0.0.1:1", "--json");
        assertThat(doctor.code()).as(doctor.err()).isEqualTo(1);
        assertThat(doctor.out()).contains("\"sections\"", "there is no " + directory.resolve("yarn-site.xml"));
        assertThat(run("doctor", "--conf-dir", "/nowhere").code()).isEqualTo(2);
    }

    @Test
    void asksARunningResourceManagerWhy() throws Exception {
        String id = "application_1700000000000_0001";
        try (WebServer server = new WebServer(Map.of())) {
            server.show(
                    new Waiting(
                            id,
                            "root.science",
                            "alice",
                            1_700_000_000_000L,
                            1,
                            4,
                            "not enough free resources",
                            List.of(new Waiting.Reason(
                                    Waiting.Kind.INSUFFICIENT_RESOURCES,
                                    4,
                                    7,
                                    "4 x 1 vcores: not enough free resources on 7 of 9 nodes"))),
                    History.EMPTY);
            String url = server.uri("").toString();
            assertThat(run("why", id, "--rm", url).out())
                    .contains(id, "4 x 1 vcores: not enough free resources on 7 of 9 nodes");
            Outcome unknown = run("why", "application_1700000000000_0002", "--rm", url);
            assertThat(unknown.code()).isEqualTo(1);
            assertThat(unknown.err())
                    .startsWith("heddle why: there is no application 'application_1700000000000_0002'")
                    .hasLineCount(1);
        }
        Outcome nobody = run("why", id, "--rm", "http://127.0.0.1:1");
        assertThat(nobody.code()).isEqualTo(1);
        assertThat(nobody.err()).contains("no answer from http://127.0.0.1:1").hasLineCount(1);
    }

    @Test
    void reportsWhatWasUsed() throws Exception {
        try (WebServer server = new WebServer(Map.of())) {
            server.show(UsageWebTest.hour());
            String url = server.uri("").toString();
            Outcome table = run("report", "usage", "--by", "user", "--month", "2026-11", "--rm", url);
            assertThat(table.code()).as(table.err()).isZero();
            assertThat(table.out().lines().map(line -> line.replaceAll(" +", " ")))
                    .containsExactly(
                            "Usage by user, 2026-11-01 to 2026-11-30 (UTC)",
                            "user memory, GiB hours vcores, hours yarn.io/gpu, hours applications containers preempted",
                            "alice 2.00 2.00 1.00 1 12 1",
                            "bob 1.00 1.00 0.00 1 5 0");
            assertThat(run("report", "usage", "--month", "2026-11", "--rm", url, "--csv")
                            .out())
                    .startsWith("user,memory-mb-seconds,");
            assertThat(run("report", "usage", "--month", "2026-11", "--rm", url, "--json")
                            .out())
                    .contains("\"resourceSeconds\"");
            Outcome wrong = run("report", "usage", "--month", "May", "--rm", url);
            assertThat(wrong.code()).isEqualTo(1);
            assertThat(wrong.err())
                    .contains("month is 'May'; write it as 2026-11")
                    .hasLineCount(1);
        }
    }
}
