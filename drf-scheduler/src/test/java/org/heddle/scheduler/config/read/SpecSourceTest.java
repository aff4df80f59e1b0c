// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.config.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Map;
import org.heddle.scheduler.config.ConfigurationException;
import org.heddle.scheduler.config.Problem;
import org.heddle.scheduler.config.SchedulerKeys;
import org.heddle.scheduler.config.SpecLocation;
import org.heddle.scheduler.config.read.SpecSource.Look;
import org.heddle.scheduler.config.read.SpecSource.Objection;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("pure")
class SpecSourceTest {
    private static final Look NOTHING_NEW = new Look(false, java.util.List.of());
    private static final Look CHANGED = new Look(true, java.util.List.of());
    private static final long WRITTEN = 1_000_000;
    private static final long NOW = 2_000_000;

    @TempDir
    Path dir;

    private Path file = Path.of("");
    private long written = WRITTEN;

    @BeforeEach
    void nameTheFile() {
        file = dir.resolve("heddle-scheduler.xml");
    }

    @Test
    void aChangedFileComesIntoForceAndAnUnchangedOneIsNotReadAgain() throws Exception {
        write(Samples.queues("<queue name='a'/>"));
        SpecSource source = open(file.toString());
        assertThat(source.configuration().source()).isEqualTo(file.toString());
        assertThat(source.configuration().loadedAtMillis()).isEqualTo(NOW);
        assertThat(source.check(NOW + 1, Objection.NONE)).isEqualTo(NOTHING_NEW);

        write(Samples.queues("<queue name='b'/>"));

        assertThat(source.check(NOW + 2, Objection.NONE)).isEqualTo(CHANGED);
        assertThat(source.spec().root().children().get(0).path()).isEqualTo("root.b");
        assertThat(source.configuration().loadedAtMillis()).isEqualTo(NOW + 2);
        assertThat(source.check(NOW + 3, Objection.NONE)).isEqualTo(NOTHING_NEW);
    }

    @Test
    void aBrokenFileLeavesTheLastGoodInForceUntilItIsMended() throws Exception {
        write(Samples.queues("<queue name='a'/>"));
        SpecSource source = open(file.toUri().toString());
        write(Samples.queues("<queue name='a'><weight>-1</weight></queue>"));

        Look broken = source.check(NOW + 1, Objection.NONE);

        assertThat(broken.changed()).isFalse();
        assertThat(broken.newProblems())
                .singleElement()
                .hasToString(file + ": line 2, <weight> = '-1': must be 0, or a number from 0.000001 to 1000000");
        assertThat(source.spec().root().children().get(0).path()).isEqualTo("root.a");
        assertThat(source.configuration().problem()).contains("line 2, <weight> = '-1'");
        assertThat(source.configuration().loadedAtMillis()).isEqualTo(NOW);
        assertThat(source.check(NOW + 2, Objection.NONE)).as("said once").isEqualTo(NOTHING_NEW);
        assertThat(source.configuration().problem()).as("but visible").isNotNull();

        write(Samples.queues("<queue name='c'/>"));

        assertThat(source.check(NOW + 3, Objection.NONE)).isEqualTo(CHANGED);
        assertThat(source.configuration().problem()).isNull();
    }

    @Test
    void aHalfWrittenOrMissingFileIsTriedAgain() throws Exception {
        String whole = Samples.queues("<queue name='a'/>");
        write(whole);
        SpecSource source = open(file.toString());

        write(whole.substring(0, whole.length() / 2));
        assertThat(source.check(NOW + 1, Objection.NONE).newProblems())
                .singleElement()
                .extracting(Problem::wayOut)
                .asString()
                .startsWith("is not well-formed XML");
        Files.delete(file);
        assertThat(source.check(NOW + 2, Objection.NONE).newProblems())
                .singleElement()
                .extracting(Problem::wayOut)
                .asString()
                .startsWith("does not exist");
        Files.createDirectory(file);
        assertThat(source.check(NOW + 3, Objection.NONE).newProblems())
                .singleElement()
                .extracting(Problem::wayOut)
                .asString()
                .contains("it is a directory");
        Files.delete(file);
        write(whole);

        assertThat(source.check(NOW + 4, Objection.NONE)).isEqualTo(NOTHING_NEW);
        assertThat(source.configuration().problem()).isNull();
    }

    @Test
    void aFileWrittenTwiceInOneTickOfTheFileSystemsClockIsNotMissed() throws Exception {
        write(Samples.queues("<queue name='a'/>"), WRITTEN);
        SpecSource source = SpecSource.open(location(file.toString()), Samples.reader(), WRITTEN);

        write(Samples.queues("<queue name='b'/>"), WRITTEN);

        assertThat(source.check(WRITTEN, Objection.NONE)).isEqualTo(CHANGED);
    }

    @Test
    void anObjectionCountsAsAProblemAndIsHeardAgain() throws Exception {
        write(Samples.queues("<queue name='a'/>"));
        SpecSource source = open(file.toString());
        write(Samples.queues("<queue name='b'/>"));

        Look refused = source.check(NOW + 1, next -> "root.a has 3 applications; move them first");

        assertThat(refused.newProblems())
                .singleElement()
                .hasToString(file + ": root.a has 3 applications; move them first");
        assertThat(source.check(NOW + 2, Objection.NONE)).isEqualTo(CHANGED);
    }

    @Test
    void aForcedReloadThrowsAndKeepsTheLastGood() throws Exception {
        write(Samples.queues("<queue name='a'/>"));
        SpecSource source = open(file.toString());
        assertThat(source.reload(NOW + 1, Objection.NONE))
                .as("read, and the same")
                .isFalse();
        write("<heddle-scheduler version=\"7\"/>");

        assertThatThrownBy(() -> source.reload(NOW + 2, Objection.NONE))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("version = '7': must be 1")
                .hasMessageNotContaining("\n");

        assertThat(source.spec().root().children()).hasSize(1);
        assertThat(source.configuration().problem()).contains("version = '7'");
    }

    @Test
    void withoutAFileThereIsOneQueueAndAFileThatAppearsIsTaken() throws Exception {
        SpecSource source = open(null);
        assertThat(source.configuration().source()).isEqualTo(SpecSource.BUILT_IN);
        assertThat(source.spec()).isEqualTo(SpecReader.withoutFile());
        assertThat(source.check(NOW + 1, Objection.NONE)).isEqualTo(NOTHING_NEW);

        write("<half");
        assertThat(source.check(NOW + 2, Objection.NONE).newProblems()).hasSize(1);
        Files.delete(file);
        assertThat(source.check(NOW + 3, Objection.NONE)).isEqualTo(NOTHING_NEW);
        assertThat(source.configuration().problem()).isNull();

        write(Samples.queues("<queue name='b'/>"));
        assertThat(source.check(NOW + 4, Objection.NONE)).isEqualTo(CHANGED);
        Files.delete(file);
        assertThat(source.check(NOW + 5, Objection.NONE).newProblems())
                .singleElement()
                .extracting(Problem::wayOut)
                .asString()
                .startsWith("has gone from the class path");
        assertThat(source.spec().root().children().get(0).path()).isEqualTo("root.b");
    }

    @ParameterizedTest
    @CsvSource({
        "queues.xml,does not exist; create it",
        "/no/such/file.xml,does not exist; create it",
        "gopher://nn/queues.xml,no file system is known for this scheme",
        "file:queues.xml,is not a file: URI of an absolute path",
        "file:///%zz,is not the name of a file",
    })
    void atStartAFileThatCannotBeReadIsOneLine(String name, String reason) {
        assertThatThrownBy(() -> open(name))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageStartingWith(name + ": ")
                .hasMessageContaining(reason)
                .hasMessageNotContaining("\n");
    }

    @Test
    void anEmptyNameIsRefusedByItsKey() {
        assertThatThrownBy(() -> location(" "))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("yarn.scheduler.heddle.configuration.file = ' ': must be the name");
    }

    private SpecSource open(@Nullable String name) throws ConfigurationException {
        return SpecSource.open(location(name), Samples.reader(), NOW);
    }

    private SpecLocation location(@Nullable String name) {
        return SpecLocation.from(
                key -> Map.of(SchedulerKeys.CONFIGURATION_FILE.name(), name == null ? "" : name)
                        .get(name == null ? "unset" : key),
                this::onClassPath,
                place -> true);
    }

    private @Nullable URL onClassPath(String name) {
        try {
            Path found = dir.resolve(name);
            return Files.exists(found) ? found.toUri().toURL() : null;
        } catch (MalformedURLException e) {
            throw new IllegalStateException(e);
        }
    }

    private void write(String text) throws IOException {
        write(text, written++);
    }

    private void write(String text, long modifiedMillis) throws IOException {
        Files.writeString(file, text);
        Files.setLastModifiedTime(file, FileTime.fromMillis(modifiedMillis));
    }
}
