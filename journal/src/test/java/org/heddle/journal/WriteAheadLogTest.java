// SPDX-License-Identifier: Apache-2.0
package org.heddle.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WriteAheadLogTest {
    private static final String OWNER = "the test";

    @TempDir
    Path temporary;

    private int logs;

    /** Thrown where the work of a log is cut off, as if the process were killed there. */
    private static final class Cut extends RuntimeException {
        private static final long serialVersionUID = 1;
    }

    private Path directory() {
        return temporary.resolve("log-" + logs);
    }

    private WriteAheadLog log(LogPoint.Watcher watcher) {
        return new WriteAheadLog(new LocalStorage(directory(), false, watcher), OWNER, modified -> true);
    }

    private List<String> stored() throws IOException {
        try (WriteAheadLog log = log(LogPoint.Watcher.NONE)) {
            return LogContent.open(log);
        }
    }

    /** Reads as a leader does, and does not become one: many syncs less. */
    private List<String> read() throws IOException {
        LogContent content = new LogContent();
        new LogFiles(new LocalStorage(directory()), OWNER).read(content);
        return content.records();
    }

    private static void append(WriteAheadLog log, int from, int to) throws IOException {
        for (int i = from; i <= to; i++) {
            assertThat(log.append(List.of(LogContent.body(i)), true)).isEqualTo(i);
        }
    }

    private Path file(String prefix) throws IOException {
        try (Stream<Path> files = Files.list(directory())) {
            return files.filter(file -> file.getFileName().toString().startsWith(prefix))
                    .sorted()
                    .findFirst()
                    .orElseThrow();
        }
    }

    private void deleteAllBut(Path kept) throws IOException {
        try (Stream<Path> files = Files.list(directory())) {
            for (Path file : files.toList()) {
                if (!file.equals(kept)) {
                    Files.delete(file);
                }
            }
        }
    }

    @Test
    void whatWasAppendedIsThereAgainWithAndWithoutSnapshots() throws IOException {
        try (WriteAheadLog log = log(LogPoint.Watcher.NONE)) {
            assertThat(LogContent.open(log)).isEmpty();
            append(log, 1, 5);
            assertThat(log.append(List.of(LogContent.body(6), LogContent.body(7)), false))
                    .isEqualTo(7);
            log.snapshot(LogContent.state(7));
            append(log, 8, 9);
            assertThat(log.open(new LogContent())).isEqualTo(9);
            append(log, 10, 10);
        }
        assertThat(stored()).isEqualTo(LogContent.upTo(10));
        try (WriteAheadLog log = log(LogPoint.Watcher.NONE)) {
            LogContent.open(log);
            for (int round = 0; round < 5; round++) {
                append(log, 11 + round, 11 + round);
                log.snapshot(LogContent.state(11 + round));
            }
            List<Long> scanned = new ArrayList<>();
            log.scan(14, (number, body) -> scanned.add(number));
            assertThat(scanned).containsExactly(15L);
            assertThat(log.before(0))
                    .as("what two snapshots make unnecessary is deleted")
                    .isEqualTo(14);
        }
        assertThat(Files.exists(directory().resolve("state-0000000000000000013")))
                .isFalse();
        Files.write(directory().resolve("state-0000000000000000015"), new byte[] {1});
        assertThat(stored()).as("from the snapshot before").isEqualTo(LogContent.upTo(15));
    }

    /** Cut anywhere, as by a crash: whole records from the start are left, and the next leader goes on after them. */
    @Test
    void aFileThatIsCutAtAnyByteHoldsWholeRecords() throws IOException {
        try (WriteAheadLog log = log(LogPoint.Watcher.NONE)) {
            LogContent.open(log);
            append(log, 1, 5);
        }
        Path file = file("log-");
        byte[] whole = Files.readAllBytes(file);
        int before = 0;
        for (int length = 0; length <= whole.length; length++) {
            deleteAllBut(file);
            Files.createFile(directory().resolve("acknowledged-0000000001-0000000000000000000"));
            Files.write(file, Arrays.copyOf(whole, length));
            List<String> found = read();
            assertThat(found.size()).isBetween(before, 5);
            assertThat(found).isEqualTo(LogContent.upTo(found.size()));
            before = found.size();
            if (length % 10 > 0) {
                continue;
            }
            try (WriteAheadLog log = log(LogPoint.Watcher.NONE)) {
                LogContent.open(log);
                append(log, before + 1, before + 2);
            }
            assertThat(stored()).isEqualTo(LogContent.upTo(before + 2));
        }
        assertThat(before).isEqualTo(5);
    }

    @Test
    void aFlippedBitIsRefusedOrConcernsOnlyTheEnd() throws IOException {
        try (WriteAheadLog log = log(LogPoint.Watcher.NONE)) {
            LogContent.open(log);
            append(log, 1, 4);
        }
        Path file = file("log-");
        byte[] whole = Files.readAllBytes(file);
        int refused = 0;
        for (int bit = 0; bit < whole.length * 8; bit++) {
            deleteAllBut(file);
            byte[] flipped = whole.clone();
            flipped[bit / 8] ^= (byte) (1 << bit % 8);
            Files.write(file, flipped);
            try {
                assertThat(read()).as("bit %d", bit).isEqualTo(LogContent.upTo(3));
            } catch (IOException e) {
                refused++;
                assertThat(e.getMessage()).contains(directory().toString()).doesNotContain("\n");
            }
        }
        int last = (Frames.HEAD + LogContent.body(4).length) * 8;
        assertThat(refused).isEqualTo(whole.length * 8 - last);
    }

    /** Records that were not synced may reach the disk in any order: what is left of them is cut off. */
    @Test
    void anUnsyncedRecordMayBeTornThoughALaterOneIsWhole() throws IOException {
        try (WriteAheadLog log = log(LogPoint.Watcher.NONE)) {
            LogContent.open(log);
            append(log, 1, 2);
            log.append(List.of(LogContent.body(3), LogContent.body(4), LogContent.body(5)), false);
        }
        Path file = file("log-");
        byte[] bytes = Files.readAllBytes(file);
        int record = Frames.HEAD + LogContent.body(5).length;
        bytes[bytes.length - 2 * record + Frames.HEAD] ^= 1;
        Files.write(file, bytes);
        assertThat(stored()).isEqualTo(LogContent.upTo(3));
    }

    @Test
    void anUnknownVersionAnotherOwnerAndALockAreRefusedWithASentence() throws IOException {
        try (WriteAheadLog log = new WriteAheadLog(new LocalStorage(directory()), OWNER, modified -> true);
                WriteAheadLog second = new WriteAheadLog(new LocalStorage(directory()), OWNER, modified -> true)) {
            LogContent.open(log);
            append(log, 1, 1);
            assertThatThrownBy(() -> LogContent.open(second))
                    .isInstanceOf(InUseException.class)
                    .hasMessageContaining("is in use by another process");
        }
        try (WriteAheadLog other =
                new WriteAheadLog(new LocalStorage(directory()), "somebody else", modified -> true)) {
            assertThatThrownBy(() -> LogContent.open(other))
                    .hasMessageContaining("belongs to the test, not to somebody");
        }
        Path file = file("log-");
        byte[] bytes = Files.readAllBytes(file);
        bytes[7] = 9;
        Files.write(file, bytes);
        assertThatThrownBy(this::stored).hasMessageContaining("format version 9, and this Heddle reads version 1");
        bytes[0] = 'X';
        Files.write(file, bytes);
        assertThatThrownBy(this::stored).hasMessageContaining("is not a log of Heddle");
        for (byte[] bad :
                List.of("nonsense".getBytes(StandardCharsets.UTF_8), new byte[] {'1', (byte) 0xff}, new byte[0])) {
            Files.write(directory().resolve("epoch"), bad);
            assertThatThrownBy(this::stored)
                    .hasMessage(directory().resolve("epoch")
                            + " does not name a leader; restore it from a copy of the directory, or delete it while"
                            + " no process uses the directory");
        }
    }

    @Test
    void missingRecordsAreRefused() throws IOException {
        for (int leader = 0; leader < 3; leader++) {
            try (WriteAheadLog log = log(LogPoint.Watcher.NONE)) {
                LogContent.open(log);
                append(log, leader * 3 + 1, leader * 3 + 3);
            }
        }
        Files.delete(directory().resolve(LogFiles.segment(2, 4)));
        assertThatThrownBy(this::stored).hasMessageContaining("records 4 to 6 are missing before");
    }

    @Test
    void aFencedLeaderCannotWrite() throws IOException {
        try (WriteAheadLog first = log(LogPoint.Watcher.NONE);
                WriteAheadLog second = log(LogPoint.Watcher.NONE)) {
            LogContent.open(first);
            append(first, 1, 3);
            LogContent.open(second);
            assertThatThrownBy(() -> append(first, 4, 4))
                    .isInstanceOf(FencedException.class)
                    .hasMessageContaining("cannot write any more");
            assertThatThrownBy(() -> LogContent.open(first)).isInstanceOf(FencedException.class);
            append(second, 4, 6);
        }
        assertThat(stored()).isEqualTo(LogContent.upTo(6));
    }

    /** Cut off at the first point, at the second, and so on until a run gets through. */
    @Test
    void nothingAcknowledgedIsLostWhereverTheWriterDies() throws IOException {
        boolean through = false;
        int points = 0;
        for (int cutAt = 1; !through; cutAt++) {
            logs++;
            int left = cutAt;
            AtomicInteger passed = new AtomicInteger();
            int acknowledged = 0;
            try (WriteAheadLog log = log(point -> {
                if (passed.incrementAndGet() == left) {
                    throw new Cut();
                }
            })) {
                LogContent.open(log);
                for (int i = 1; i <= 9; i++) {
                    log.append(List.of(LogContent.body(i)), true);
                    acknowledged = i;
                    if (i % 2 == 0) {
                        log.snapshot(LogContent.state(i));
                    }
                }
                through = true;
            } catch (Cut e) {
                points++;
            }
            List<String> found = stored();
            assertThat(found.size()).as("cut at %d", cutAt).isBetween(acknowledged, acknowledged + 1);
            assertThat(found).isEqualTo(LogContent.upTo(found.size()));
            try (WriteAheadLog log = log(LogPoint.Watcher.NONE)) {
                LogContent.open(log);
                append(log, found.size() + 1, 12);
            }
            assertThat(stored()).isEqualTo(LogContent.upTo(12));
        }
        assertThat(points).isGreaterThan(60);
    }

    @Test
    void afterAFailureTheLogMustBeOpenedAgain() throws IOException {
        AtomicInteger passed = new AtomicInteger();
        try (WriteAheadLog log = log(point -> {
            if (point == LogPoint.WRITTEN && passed.incrementAndGet() == 2) {
                throw new Cut();
            }
        })) {
            LogContent.open(log);
            append(log, 1, 1);
            assertThatThrownBy(() -> append(log, 2, 2)).isInstanceOf(Cut.class);
            assertThatThrownBy(() -> append(log, 2, 2)).hasMessageContaining("is not open");
            assertThat(LogContent.open(log)).as("it was written").isEqualTo(LogContent.upTo(2));
            append(log, 3, 3);
        }
        assertThat(stored()).isEqualTo(LogContent.upTo(3));
    }

    @Test
    void manyThreadsShareSyncs() throws Exception {
        int threads = 8;
        int each = 200;
        AtomicInteger syncs = new AtomicInteger();
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        try (WriteAheadLog log = log(point -> {
            if (point == LogPoint.SYNCED) {
                syncs.incrementAndGet();
            }
        })) {
            LogContent.open(log);
            List<Future<List<Long>>> futures = new ArrayList<>();
            for (int thread = 0; thread < threads; thread++) {
                int from = thread * each;
                futures.add(pool.submit(() -> {
                    List<Long> numbers = new ArrayList<>();
                    for (int i = 0; i < each; i++) {
                        numbers.add(log.append(List.of(LogContent.body(from + i)), true));
                    }
                    return numbers;
                }));
            }
            String[] expected = new String[threads * each];
            for (int thread = 0; thread < threads; thread++) {
                List<Long> numbers = futures.get(thread).get(2, TimeUnit.MINUTES);
                assertThat(numbers).isSorted();
                for (int i = 0; i < each; i++) {
                    expected[(int) (numbers.get(i) - 1)] =
                            new String(LogContent.body(thread * each + i), StandardCharsets.UTF_8);
                }
            }
            log.scan(0, (number, body) -> {
                assertThat(new String(body, StandardCharsets.UTF_8)).isEqualTo(expected[(int) (number - 1)]);
                return true;
            });
            assertThat(log.last()).isEqualTo((long) threads * each);
            assertThat(syncs.get()).isLessThan(threads * each);
        } finally {
            pool.shutdownNow();
        }
    }

    /** The leader of a group fails: each of its threads learns it, and none hangs. */
    @Test
    void aFailureReachesAllThreadsOfItsGroup() throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(4);
        AtomicInteger writes = new AtomicInteger();
        try (WriteAheadLog log = log(point -> {
            if (point == LogPoint.WRITTEN && writes.incrementAndGet() >= 20) {
                throw new UncheckedIOException(new IOException("the disk is full"));
            }
        })) {
            LogContent.open(log);
            List<Future<Boolean>> futures = new ArrayList<>();
            for (int thread = 0; thread < 4; thread++) {
                futures.add(pool.submit(() -> {
                    for (int i = 0; i < 1_000; i++) {
                        try {
                            log.append(List.of(LogContent.body(1)), true);
                        } catch (IOException | UncheckedIOException e) {
                            return true;
                        }
                    }
                    return false;
                }));
            }
            for (Future<Boolean> future : futures) {
                assertThat(future.get(1, TimeUnit.MINUTES)).isTrue();
            }
        } finally {
            pool.shutdownNow();
        }
    }

    @Test
    void aSmallFileIsStoredOnce() throws IOException {
        LocalStorage storage = new LocalStorage(directory());
        assertThat(storage.putIfAbsent("key", new byte[] {1})).isTrue();
        assertThat(storage.putIfAbsent("key", new byte[] {2})).isFalse();
        assertThat(storage.read("key").readAllBytes()).containsExactly(1);
        assertThat(storage.list()).extracting(LogStorage.StoredFile::name).containsExactly("key");
        assertThat(Files.getPosixFilePermissions(directory().resolve("key")))
                .hasSize(2)
                .allMatch(permission -> permission.name().startsWith("OWNER_"));
    }
}
