// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.heddle.journal.InUseException;
import org.heddle.journal.LocalStorage;
import org.heddle.journal.LogImport;
import org.heddle.journal.UnavailableException;
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
        LocalStorage storage = new LocalStorage(Files.createDirectory(directory.resolve("other")));
        LogImport foreign = new LogImport(storage, "another program");
        foreign.segment(1, 1).close();
        assertThatThrownBy(() -> Journal.open(storage, Journal.Outage.NO_WAIT))
                .hasMessageContaining("belongs to another program");
    }

    /** Written by version 0.1.0, with an incomplete batch at the end. */
    @Test
    void theJournalOfVersion010IsConvertedOnce() throws IOException {
        Path old = directory.resolve("bridge.journal");
        try (InputStream fixture = JournalTest.class.getResourceAsStream("/state-0.1.0/bridge.journal")) {
            Files.copy(Objects.requireNonNull(fixture), old);
        }
        for (int opening = 0; opening < 3; opening++) {
            try (Journal journal = Journal.open(directory)) {
                assertThat(texts(journal))
                        .containsExactly(
                                Map.entry("framework/alpha", "two \u00fc"),
                                Map.entry("late", "unsynced"),
                                Map.entry("task/2", ""));
            }
            if (opening == 0) { // as if the process had died before it set the file aside
                Files.move(directory.resolve("0.1.0/bridge.journal"), old);
            }
        }
        assertThat(old).doesNotExist();
    }

    @Test
    void aDamagedOrNewerFormerJournalIsRefusedAndStays() throws IOException {
        byte[] whole;
        try (InputStream fixture = JournalTest.class.getResourceAsStream("/state-0.1.0/bridge.journal")) {
            whole = Objects.requireNonNull(fixture).readAllBytes();
        }
        Path old = directory.resolve("bridge.journal");
        for (int at : new int[] {0, 7, 20}) {
            byte[] bytes = whole.clone();
            bytes[at] ^= 1;
            Files.write(old, bytes);
            assertThatThrownBy(() -> Journal.open(directory))
                    .hasMessageContaining(
                            at == 0 ? "is not a journal" : at == 7 ? "format version 3" : "byte 8 is damaged");
            assertThat(old).exists();
        }
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
