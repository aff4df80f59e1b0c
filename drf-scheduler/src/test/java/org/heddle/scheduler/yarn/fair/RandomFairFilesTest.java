// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn.fair;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Files that nobody wrote: what FairScheduler refuses is refused, and what it loads has the same queues, weights, limits,
 * answers about access and places for applications. {@code -Dheddle.fair.files=1000} for more of them,
 * {@code -Dheddle.fair.directory=DIR} for the files of a directory.
 */
@Tag("newer-line")
class RandomFairFilesTest {
    private static final int FILES = Integer.getInteger("heddle.fair.files", 12);
    private static final List<String> NAMES =
            List.of("default", "root.a", "a.b", "b", "staff", "root.staff.alice", "new", "a.new.deep", "root");

    @TempDir
    Path directory;

    static LongStream seeds() {
        long first = Long.getLong("heddle.fair.first", 1);
        return LongStream.range(first, first + FILES);
    }

    static List<Path> given() throws IOException {
        String directory = System.getProperty("heddle.fair.directory");
        if (directory == null) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(Path.of(directory))) {
            return files.sorted().toList();
        }
    }

    @ParameterizedTest(allowZeroInvocations = true)
    @MethodSource("given")
    void bothSchedulersMakeTheSameOfFilesOfOthers(Path file) throws Exception {
        compare(Files.readString(file));
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void bothSchedulersMakeTheSameOfIt(long seed) throws Exception {
        compare(FairFile.of(seed));
    }

    private void compare(String xml) throws Exception {
        Path file = FairSchedulerFixture.file(directory, xml);
        Map<String, String> fair = outcome(FairSchedulerFixture.FAIR, file);
        Map<String, String> ours = outcome(FairSchedulerFixture.OURS, file);
        Map<String, String> differences = new TreeMap<>();
        fair.forEach((what, value) -> {
            if (!value.equals(ours.get(what))) {
                differences.put(what, value + " under FairScheduler, here " + ours.get(what));
            }
        });
        assertThat(differences).as(xml).isEmpty();
        assertThat(ours).as(xml).hasSameSizeAs(fair);
    }

    private static Map<String, String> outcome(Class<?> scheduler, Path file) throws Exception {
        FairSchedulerFixture opened;
        try {
            opened = new FairSchedulerFixture(scheduler, file);
        } catch (RuntimeException refused) {
            return Map.of("the file", "is refused");
        }
        Map<String, String> outcome = new TreeMap<>(Map.of("the file", "is loaded"));
        try (FairSchedulerFixture fixture = opened) {
            fixture.node("127.2.0.1", 100_000, 80);
            FairFilesTest.queues(fixture).forEach((path, line) -> outcome.put("queue " + path, line));
            fixture.queues(path -> FairFilesTest.access(fixture, path))
                    .forEach((path, who) -> outcome.put("access to " + path, who));
            for (String user : FairFilesTest.USERS.subList(0, 5)) {
                for (String name : NAMES) {
                    outcome.put(user + " names " + name, Objects.requireNonNull(fixture.placed(user, name)));
                }
            }
        }
        return outcome;
    }
}
