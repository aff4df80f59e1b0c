// SPDX-License-Identifier: Apache-2.0
package org.heddle.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.heddle.journal.hdfs.LeaseFileSystem;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Somebody deletes or cuts files of a log: it does not open with fewer records than were acknowledged, unless he
 * accepts that.
 */
class LostFilesTest {
    private static final String OWNER = "the test";
    private static final int RECORD_BYTES = Frames.HEAD + LogContent.body(1).length;

    @TempDir
    Path directory;

    /** Where the files are; in HDFS by its rules, on this machine. */
    enum Storage {
        LOCAL {
            @Override
            LogStorage of(Path directory) {
                return new LocalStorage(directory);
            }
        },
        HDFS {
            @Override
            LogStorage of(Path directory) {
                return LeaseFileSystem.storage(directory);
            }
        };

        abstract LogStorage of(Path directory);
    }

    private List<String> open(Storage storage) throws IOException {
        try (WriteAheadLog log = new WriteAheadLog(storage.of(directory), OWNER, modified -> true)) {
            return LogContent.open(log);
        }
    }

    /** Three leaders write three records each; the second one stores a snapshot, after its last record. */
    private void write(Storage storage) throws IOException {
        for (int leader = 0; leader < 3; leader++) {
            try (WriteAheadLog log = new WriteAheadLog(storage.of(directory), OWNER, modified -> false)) {
                LogContent.open(log);
                for (int i = 1; i <= 3; i++) {
                    log.append(List.of(LogContent.body(leader * 3 + i)), true);
                }
                if (leader == 1) {
                    log.snapshot(LogContent.state(6));
                }
            }
        }
    }

    private List<Path> files(String pattern) throws IOException {
        try (Stream<Path> all = Files.list(directory)) {
            return all.filter(file -> file.getFileName().toString().matches(pattern))
                    .sorted()
                    .toList();
        }
    }

    private void delete(String pattern) throws IOException {
        List<Path> files = files(pattern);
        assertThat(files).as(pattern).isNotEmpty();
        for (Path file : files) {
            Files.delete(file);
        }
    }

    private Path newest() throws IOException {
        List<Path> logs = files("log-.*");
        return logs.get(logs.size() - 1);
    }

    /** Cuts the file with the records 7 to 9. */
    private void cutBy(int bytes) throws IOException {
        byte[] whole = Files.readAllBytes(newest());
        Files.write(newest(), Arrays.copyOf(whole, Math.max(0, whole.length - bytes)));
    }

    private void assertRefused(Storage storage, int last, String lost) throws IOException {
        String place = storage == Storage.LOCAL ? directory.toString() : "leases:" + directory;
        for (int start = 0; start < 2; start++) {
            assertThatThrownBy(() -> open(storage))
                    .hasMessage(place + " " + lost + "; restore the directory from a copy, or create the empty file "
                            + place + "/ends-at-" + last + " to go on without what is missing");
        }
        Files.createFile(directory.resolve("ends-at-" + (last + 1)));
        assertThatThrownBy(() -> open(storage)).as("another loss").hasMessageContaining("/ends-at-" + last + " ");
        Files.createFile(directory.resolve("ends-at-" + last));
        assertThat(open(storage)).isEqualTo(LogContent.upTo(last));
        assertThat(files("ends-at-.*")).isEmpty();
        assertThat(files("acknowledged-.*")).hasSize(1);
        assertThat(open(storage)).isEqualTo(LogContent.upTo(last));
    }

    private static String records(int from, String suspect) {
        return "has lost its records " + from + " to 9: " + suspect
                + "the file log-*-%019d was deleted".formatted(from);
    }

    @ParameterizedTest
    @EnumSource
    void aLogThatNobodyTouchedOpens(Storage storage) throws IOException {
        write(storage);
        assertThat(open(storage)).isEqualTo(LogContent.upTo(9));
        cutBy(0);
        Files.write(newest(), new byte[] {0, 0, 0, 10, 1}, java.nio.file.StandardOpenOption.APPEND);
        assertThat(open(storage)).as("torn by a crash").isEqualTo(LogContent.upTo(9));
    }

    @ParameterizedTest
    @EnumSource
    void theNewestFileIsDeleted(Storage storage) throws IOException {
        write(storage);
        Files.delete(newest());
        assertRefused(storage, 6, records(7, newest().getFileName() + " was cut, or "));
    }

    @ParameterizedTest
    @EnumSource
    void theNewestFileIsCutBetweenRecords(Storage storage) throws IOException {
        write(storage);
        cutBy(RECORD_BYTES);
        assertRefused(storage, 8, records(9, newest().getFileName() + " was cut, or "));
    }

    @ParameterizedTest
    @EnumSource
    void theNewestFileIsCutInARecord(Storage storage) throws IOException {
        write(storage);
        cutBy(RECORD_BYTES + 1);
        assertRefused(storage, 7, records(8, newest().getFileName() + " was cut, or "));
    }

    @ParameterizedTest
    @EnumSource
    void theNewestFileIsCutToNothing(Storage storage) throws IOException {
        write(storage);
        cutBy(Integer.MAX_VALUE);
        assertRefused(storage, 6, records(7, newest().getFileName() + " was cut, or "));
    }

    @ParameterizedTest
    @EnumSource
    void allFilesWithRecordsAreDeleted(Storage storage) throws IOException {
        write(storage);
        delete("(log|state)-.*");
        assertRefused(storage, 0, records(1, ""));
    }

    @ParameterizedTest
    @EnumSource
    void theLeaderIsForgotten(Storage storage) throws IOException {
        write(storage);
        delete("epoch|leader-.*");
        assertThat(open(storage)).as("no record is missing").isEqualTo(LogContent.upTo(9));
        delete("epoch|leader-.*");
        delete("log-.*[78901]");
        assertThatThrownBy(() -> open(storage)).hasMessageContaining("has lost its records 7 to 9: ");
    }

    @ParameterizedTest
    @EnumSource
    void theNoteIsDeleted(Storage storage) throws IOException {
        write(storage);
        delete("acknowledged-.*");
        assertRefused(
                storage,
                9,
                "has records up to 9, but its file acknowledged-* is missing, which says whether there were more");
        delete("(log|state|acknowledged)-.*");
        assertThatThrownBy(() -> open(storage)).hasMessageContaining("has records up to 0, but its file ack");
    }

    @ParameterizedTest
    @EnumSource
    void aFileInTheMiddleIsDeleted(Storage storage) throws IOException {
        write(storage);
        delete("state-.*");
        delete("log-.*-0000000000000000004");
        assertThatThrownBy(() -> open(storage)).hasMessageContaining("records 4 to 6 are missing before");
    }

    /** All files are gone: that is a new log. */
    @ParameterizedTest
    @EnumSource
    void everythingIsDeleted(Storage storage) throws IOException {
        write(storage);
        delete(".*");
        assertThat(open(storage)).isEmpty();
    }

    /** An administrator copies the directory while nobody writes, and restores it, also in the other storage. */
    @ParameterizedTest
    @EnumSource
    void aCopyOpensInBothStorages(Storage storage) throws IOException {
        write(storage);
        assertThat(open(storage)).isEqualTo(LogContent.upTo(9));
        Storage other = storage == Storage.LOCAL ? Storage.HDFS : Storage.LOCAL;
        assertThat(open(other)).isEqualTo(LogContent.upTo(9));
        cutBy(Integer.MAX_VALUE);
        assertThat(open(storage)).as("the newest file has no records").isEqualTo(LogContent.upTo(9));
        delete("log-.*-0000000000000000(007|010)");
        assertThatThrownBy(() -> open(other)).hasMessageContaining("has lost its records 7 to 9: ");
    }
}
