// SPDX-License-Identifier: Apache-2.0
package org.heddle.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.heddle.testkit.machine.SmallDisk;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** On a file system that is really full. */
class FullDiskTest {
    private static final int RECORD_BYTES = 3_000;

    /** Its records are only counted. */
    private static final class Count implements WriteAheadLog.Replay {
        @Override
        public void snapshot(long number, byte[] state) {}

        @Override
        public void record(long number, byte[] body) {
            assertThat(body).hasSize(RECORD_BYTES);
        }
    }

    @Test
    void withRoomAgainTheLogGoesOn(@TempDir Path disk) throws Exception {
        SmallDisk.run(FullDiskTest.class, disk);
    }

    /** The program on the small disk. */
    public static void main(String[] args) throws IOException {
        Path disk = Path.of(args[0]);
        LocalStorage storage = new LocalStorage(disk.resolve("log"));
        try (WriteAheadLog log = new WriteAheadLog(storage, "the test", modified -> true)) {
            log.open(new Count());
            append(log);
            SmallDisk.fill(disk);
            long acknowledged = appendUntilFull(log, disk);
            List<String> files = names(storage);
            for (int attempt = 0; attempt < 20; attempt++) {
                assertIsFull(disk, () -> log.open(new Count()));
            }
            assertIsFull(disk, () -> storage.putIfAbsent("key", new byte[RECORD_BYTES]));
            assertThat(names(storage)).isEqualTo(files);
            SmallDisk.makeRoom(disk);
            assertThat(log.open(new Count())).isBetween(acknowledged, acknowledged + 1);
            append(log);
            log.snapshot(new byte[] {1});
        }
    }

    private static long append(WriteAheadLog log) throws IOException {
        return log.append(List.of(new byte[RECORD_BYTES]), true);
    }

    private static long appendUntilFull(WriteAheadLog log, Path disk) throws IOException {
        long acknowledged = log.last();
        while (acknowledged < 100) {
            try {
                acknowledged = append(log);
            } catch (UnavailableException e) {
                assertIsFull(disk, () -> {
                    throw e;
                });
                return acknowledged;
            }
        }
        throw new IOException("the disk does not become full");
    }

    private static void assertIsFull(Path disk, org.assertj.core.api.ThrowableAssert.ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOf(UnavailableException.class)
                .hasMessage(
                        disk.resolve("log") + " cannot be written, because its disk or the quota of this user is full"
                                + " (No space left on device); make room on that disk");
    }

    private static List<String> names(LocalStorage storage) throws IOException {
        return storage.list().stream().map(LogStorage.StoredFile::name).toList();
    }
}
