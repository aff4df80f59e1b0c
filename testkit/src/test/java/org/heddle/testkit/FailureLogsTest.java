// SPDX-License-Identifier: Apache-2.0
package org.heddle.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.hadoop.fs.FileUtil;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/** Planted tests, run by JUnit's launcher as Surefire runs it. */
class FailureLogsTest {
    private static final String PLANTED = "FailureLogsTest_Planted";

    /** Writes what a cluster would have written, and closes it. */
    private static void close(Path directory, String name, String text) throws IOException {
        Files.writeString(directory.resolve(name + ".log"), text);
        Path container = Files.createDirectories(directory.resolve("node1/logs/application_1/container_1"));
        Files.writeString(container.resolve("stderr"), "of a container");
        FailureLogs.holdBack(
                directory,
                List.of(
                        directory.resolve(name + ".log"),
                        directory.resolve("node1").resolve("logs")));
    }

    static class Planted {
        @TempDir
        static Path ofAll;

        @TempDir
        Path directory;

        @Test
        void succeeds() throws IOException {
            close(directory, "rm1", "nothing of note");
        }

        @ParameterizedTest
        @ValueSource(ints = {1, 2})
        void succeedsOnce(int round) throws IOException {
            close(directory, "rm1", "before\nround " + round);
            Assertions.assertEquals(1, round);
        }

        @AfterAll
        static void ofTheClass() throws IOException {
            close(ofAll, "rm2", "the cluster of all tests");
        }
    }

    static class Sound {
        @Test
        void succeeds(@TempDir Path directory) throws IOException {
            close(directory, "rm1", "nothing of note");
        }
    }

    @AfterEach
    void clean() throws IOException {
        for (Path kept : kept()) {
            FileUtil.fullyDelete(kept.toFile());
        }
    }

    private static List<Path> kept() throws IOException {
        if (!Files.isDirectory(FailureLogs.home())) {
            return List.of();
        }
        try (var all = Files.list(FailureLogs.home())) {
            return all.filter(path -> path.getFileName().toString().startsWith("FailureLogsTest")
                            || path.getFileName().toString().startsWith(".undecided"))
                    .sorted()
                    .toList();
        }
    }

    private static String run(Class<?> tests) {
        PrintStream usual = System.out;
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
        try {
            LauncherFactory.create()
                    .execute(LauncherDiscoveryRequestBuilder.request()
                            .selectors(DiscoverySelectors.selectClass(tests))
                            .build());
        } finally {
            System.setOut(usual);
        }
        return printed.toString(StandardCharsets.UTF_8);
    }

    @Test
    void aFailedTestKeepsItsLogsUnderItsNameAndTellsTheirEnds() throws IOException {
        String told = run(Planted.class);

        assertThat(kept()).hasSize(2);
        Path ofTheTest = kept().get(1);
        assertThat(ofTheTest.getFileName().toString())
                .startsWith(PLANTED + ".succeedsOnce-")
                .contains("2");
        assertThat(ofTheTest.resolve("rm1.log")).hasContent("before\nround 2");
        assertThat(ofTheTest.resolve("node1/logs/application_1/container_1/stderr"))
                .hasContent("of a container");
        assertThat(kept().get(0).getFileName()).hasToString(PLANTED);
        assertThat(kept().get(0).resolve("rm2.log")).exists();
        assertThat(told)
                .contains("failed; the logs of its daemons and containers are in " + ofTheTest)
                .contains("--- the end of rm1.log\n  before\n  round 2")
                .contains("the cluster of all tests")
                .doesNotContain("round 1", "nothing of note");
    }

    @Test
    void nothingIsLeftOfTestsThatSucceed() throws IOException {
        assertThat(run(Sound.class)).isEmpty();
        assertThat(kept()).isEmpty();
    }
}
