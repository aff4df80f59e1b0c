// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn.fair;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair.AllocationFileLoaderService;
import org.heddle.scheduler.cli.Converted;
import org.heddle.scheduler.yarn.ChaosFiles;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Files that nobody wrote: what FairScheduler refuses is refused, and what it loads has the same queues, weights,
 * limits, answers about access and places for applications. {@code -Dheddle.fair.files=1000} for more of them, {@code
 * -Dheddle.fair.directory=DIR} for the files of a directory.
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
        assertThat(differences(fair, ours)).as(xml).isEmpty();
        if (fair.size() > 1) {
            thereAndBack(xml, fair);
        }
    }

    /** What a map has otherwise than another one. */
    private static Map<String, String> differences(Map<String, String> wanted, Map<String, String> found) {
        Map<String, String> differences = new TreeMap<>();
        wanted.forEach((what, value) -> {
            if (!value.equals(found.get(what))) {
                differences.put(what, value + ", then " + found.get(what));
            }
        });
        found.forEach((what, value) -> {
            if (!wanted.containsKey(what)) {
                differences.put(what, "only then " + value);
            }
        });
        return differences;
    }

    /** FairScheduler makes the same of the file when it has been converted to ours and back. */
    private void thereAndBack(String xml, Map<String, String> before) throws Exception {
        Converted there = converted("fair-scheduler.xml", xml);
        if (there.code() != 0) {
            assertThat(there.err()).contains("Heddle would not take what this becomes: <queue name> = 'x y': ");
            return;
        }
        Converted back = converted("heddle-scheduler.xml", there.out());
        assertThat(back.code()).as("%s of%n%s", back.err(), there.out()).isZero();
        Map<String, String> after =
                outcome(FairSchedulerFixture.FAIR, FairSchedulerFixture.file(directory, back.out()));
        // Never is a number of milliseconds, which is written in seconds.
        before.replaceAll((what, value) -> value.replace("9223372036854775807 ms", "9223372036854775000 ms"));
        assertThat(differences(before, after))
                .as("%s%n%nand there and back%n%s", xml, back.out())
                .isEmpty();
    }

    private Converted converted(String name, String xml) throws IOException {
        return Converted.of(Files.writeString(directory.resolve("to-convert-" + name), xml));
    }

    /**
     * Steps that look for queues below others, inside each other in every way; that of an earlier defect is the first.
     */
    static List<String> placements() {
        List<String> steps = new ArrayList<>(List.of("<user parent='root.people' missing='create'/>"));
        List<String> missing = List.of("", " missing='create'", " missing='pass'", " missing='refuse'");
        for (String kind : List.of("user", "primary-group", "secondary-group")) {
            for (String how : kind.equals("secondary-group") ? List.of("") : missing) {
                steps.add("<" + kind + how + "/>");
                steps.add("<" + kind + " parent='root.people'" + how + "/>");
                for (String inside : List.of(
                        "<specified/>",
                        "<user/>",
                        "<primary-group/>",
                        "<primary-group missing='create'/>",
                        "<secondary-group/>",
                        "<secondary-group parent='root.people'/>",
                        "<primary-group parent='root.people' missing='create'/>",
                        "<user><specified/></user>",
                        "<fixed queue='root.people' missing='pass'/>",
                        "<fixed queue='root.made' missing='create'/>")) {
                    steps.add("<" + kind + how + ">" + inside + "</" + kind + ">");
                }
            }
        }
        for (String how : missing) {
            steps.add("<specified" + how + "/>");
            steps.add("<fixed queue='root.default'" + how + "/>");
            steps.add("<fixed queue='root.made'" + how + "/>");
        }
        return steps.stream()
                .map(step -> "<heddle-scheduler version='1'><placement>" + step + "</placement><new-queues/>"
                        + "<queue name='root'><queue name='default'/><queue name='people' type='parent'/></queue>"
                        + "</heddle-scheduler>")
                .toList();
    }

    /** Each is converted to a file that FairScheduler reads, or refused with the reason. */
    @Test
    void fairSchedulerReadsWhatIsConverted() throws Exception {
        ChaosFiles random =
                new ChaosFiles(new SplittableRandom(Long.getLong("heddle.fair.first", 1)), List.of("heartbeat"));
        List<String> files = new ArrayList<>(placements());
        for (int i = 0; i < 2 * FILES; i++) {
            files.add(random.valid());
        }
        Path fair = FairSchedulerFixture.file(directory, "<allocations/>");
        int read = 0;
        try (FairSchedulerFixture fixture = new FairSchedulerFixture(FairSchedulerFixture.FAIR, fair)) {
            AllocationFileLoaderService reader = new AllocationFileLoaderService(fixture.fair());
            reader.init(fixture.rm.getConfig());
            reader.setReloadListener(ignored -> {});
            for (String xml : files) {
                Converted converted = converted("heddle-scheduler.xml", xml);
                if (converted.code() == 0) {
                    FairSchedulerFixture.file(directory, converted.out());
                    assertThatCode(reader::reloadAllocations)
                            .as("%s%n%nof%n%s", converted.out(), xml)
                            .doesNotThrowAnyException();
                    read++;
                } else {
                    assertThat(converted.out()).isEmpty();
                    assertThat(converted.err())
                            .containsPattern("FairScheduler would not take what this becomes: <rule> name = '.*': "
                                    + "(is of the same kind as|must not stand inside)|is not a queue of this file");
                }
            }
        }
        assertThat(read).isGreaterThan(files.size() * 3 / 4);
    }

    /** The scheduler itself starts with some of them. */
    @Test
    void fairSchedulerStartsWithWhatIsConverted() throws Exception {
        ChaosFiles random = new ChaosFiles(new SplittableRandom(2), List.of("heartbeat"));
        List<String> files = new ArrayList<>(placements().subList(0, 1));
        for (int i = 0; i < FILES / 3; i++) {
            files.add(random.valid());
        }
        for (String xml : files) {
            Converted converted = converted("heddle-scheduler.xml", xml);
            assertThat(converted.code()).as("%s of%n%s", converted.err(), xml).isZero();
            Path fair = FairSchedulerFixture.file(directory, converted.out());
            assertThat(outcome(FairSchedulerFixture.FAIR, fair))
                    .as(converted.out())
                    .hasSizeGreaterThan(1);
        }
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
