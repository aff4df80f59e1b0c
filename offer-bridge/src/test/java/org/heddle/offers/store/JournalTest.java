// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.heddle.journal.InUseException;
import org.heddle.journal.LocalStorage;
import org.heddle.journal.UnavailableException;
import org.heddle.journal.WriteAheadLog;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JournalTest {
    @TempDir
    Path directory;

    private static Map<String, byte @Nullable []> batch(String... pairs) {
        Map<String, byte @Nullable []> batch = new LinkedHashMap<>();
        for (int i = 0; i < pairs.length; i += 2) {
            batch.put(pairs[i], pairs[i + 1].isEmpty() ? null : pairs[i + 1].getBytes(StandardCharsets.UTF_8));
        }
        return batch;
    }

    private Map<String, String> reopened() throws IOException {
        try (Journal journal = Journal.open(directory)) {
            return texts(journal);
        }
    }

    private static Map<String, String> texts(Journal journal) {
        Map<String, String> texts = new TreeMap<>();
        journal.live().forEach((name, bytes) -> texts.put(name, new String(bytes, StandardCharsets.UTF_8)));
        return texts;
    }

    @Test
    void whatWasCommittedIsThereAgain() throws IOException {
        try (Journal journal = Journal.open(directory)) {
            journal.commit(batch("a", "1", "b", "2"), true);
            journal.commit(batch("a", "", "c", "3"), true);
        }
        assertThat(reopened()).containsExactly(Map.entry("b", "2"), Map.entry("c", "3"));
    }

    @Test
    void aSecondBridgeAndTheLogOfAnotherProgramAreRefused() throws IOException {
        try (Journal journal = Journal.open(directory)) {
            journal.commit(batch("a", "1"), true);
            assertThatThrownBy(() -> Journal.open(directory))
                    .isInstanceOf(InUseException.class)
                    .hasMessageContaining("heddle.bridge.state.dir: ")
                    .hasMessageContaining("in use by another process");
        }
        Path other = Files.createDirectory(directory.resolve("other"));
        try (WriteAheadLog foreign = new WriteAheadLog(new LocalStorage(other), "another program", modified -> true)) {
            foreign.open(new WriteAheadLog.Replay() {
                @Override
                public void snapshot(long number, byte[] state) {}

                @Override
                public void record(long number, byte[] body) {}
            });
            foreign.append(List.of(new byte[] {1}), true);
        }
        assertThatThrownBy(() -> Journal.open(other)).hasMessageContaining("belongs to another program");
    }

    @Test
    void growingAndRewritingChangesNothing() throws IOException {
        Random random = new Random(7);
        Map<String, String> expected = new TreeMap<>();
        String filler = "x".repeat(40_000);
        try (Journal journal = Journal.open(directory)) {
            for (int i = 0; i < 1500; i++) {
                String name = "k" + random.nextInt(20);
                String value = random.nextInt(5) == 0 ? "" : i + filler;
                journal.commit(batch(name, value), false);
                if (value.isEmpty()) {
                    expected.remove(name);
                } else {
                    expected.put(name, value);
                }
            }
            assertThat(texts(journal)).isEqualTo(expected);
        }
        try (Stream<Path> files = Files.list(directory)) {
            assertThat(files.mapToLong(file -> file.toFile().length()).sum()).isLessThan(80L << 20);
        }
        assertThat(reopened()).isEqualTo(expected);
    }

    @Test
    void aStorageThatFailsAndIsRepairedLosesNothing() throws IOException {
        Random random = new Random(20261126);
        RepairedStorage storage = new RepairedStorage(directory, random);
        Map<String, String> expected = new TreeMap<>();
        try (Journal journal = Journal.open(storage, Journal.Outage.NO_WAIT)) {
            for (int i = 0; i < 1_000; i++) {
                String name = "k" + random.nextInt(20);
                String value = random.nextInt(4) == 0 ? "" : "v" + i;
                journal.commit(batch(name, value), random.nextBoolean());
                if (value.isEmpty()) {
                    expected.remove(name);
                } else {
                    expected.put(name, value);
                }
            }
            assertThat(texts(journal)).isEqualTo(expected);
            journal.commit(Map.of(), true);
        }
        assertThat(storage.failures()).isGreaterThan(50);
        assertThat(reopened()).isEqualTo(expected);
    }

    @Test
    void aStorageThatStaysBrokenIsAFailure() throws IOException {
        RepairedStorage storage = new RepairedStorage(directory, new Random(1));
        try (Journal journal = Journal.open(storage, Journal.Outage.NO_WAIT)) {
            storage.breakDown();
            assertThatThrownBy(() -> journal.commit(batch("a", "1"), true))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("no more good DataNodes");
            assertThat(storage.failures()).as("the write and three attempts").isEqualTo(4);
        }
    }

    @Test
    void aStorageThatDoesNotAnswerIsAwaited() throws IOException {
        RepairedStorage storage = new RepairedStorage(directory, new Random(1));
        List<String> told = new ArrayList<>();
        try (Journal journal = Journal.open(storage, new Journal.Outage() {
            @Override
            public boolean pause(UnavailableException failure) {
                told.add(failure.getMessage());
                return true;
            }

            @Override
            public void end() {
                told.add("end");
            }
        })) {
            storage.goAway(5);
            journal.commit(batch("a", "1"), true);
        }
        assertThat(told).hasSizeGreaterThan(4).contains("nobody answers").endsWith("end");
        assertThat(reopened()).containsExactly(Map.entry("a", "1"));
    }

    @Test
    void aStorageThatDoesNotAnswerForTooLongIsAFailure() throws IOException {
        RepairedStorage storage = new RepairedStorage(directory, new Random(1));
        try (Journal journal = Journal.open(storage, Journal.Outage.NO_WAIT)) {
            storage.goAway(Integer.MAX_VALUE);
            assertThatThrownBy(() -> journal.commit(batch("a", "1"), true))
                    .isInstanceOf(UnavailableException.class)
                    .hasMessageContaining("nobody answers");
        }
    }
}
