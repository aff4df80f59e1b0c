// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
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

    /** Cut anywhere, as by a crash: the state is that after some whole number of batches, and never less than before. */
    @Test
    void aCutFileHoldsWholeBatches() throws IOException {
        try (Journal journal = Journal.open(directory)) {
            for (int i = 0; i < 5; i++) {
                journal.commit(batch("x", Integer.toString(i), "y", Integer.toString(i)), true);
            }
        }
        byte[] whole = Files.readAllBytes(directory.resolve("bridge.journal"));
        int last = -1;
        for (int length = 8; length <= whole.length; length++) {
            try (FileChannel file = FileChannel.open(directory.resolve("bridge.journal"), StandardOpenOption.WRITE)) {
                file.truncate(0);
                file.write(java.nio.ByteBuffer.wrap(whole, 0, length));
            }
            Map<String, String> state = reopened();
            assertThat(state.get("x")).isEqualTo(state.get("y"));
            int now = state.isEmpty() ? -1 : Integer.parseInt(String.valueOf(state.get("x")));
            assertThat(now).isGreaterThanOrEqualTo(last);
            last = now;
        }
        assertThat(last).isEqualTo(4);
    }

    @Test
    void damageInTheMiddleIsNotPassedOver() throws IOException {
        try (Journal journal = Journal.open(directory)) {
            journal.commit(batch("a", "first"), true);
            journal.commit(batch("b", "second"), true);
        }
        Path file = directory.resolve("bridge.journal");
        byte[] bytes = Files.readAllBytes(file);
        bytes[20] ^= 1;
        Files.write(file, bytes);
        assertThatThrownBy(() -> Journal.open(directory))
                .hasMessageContaining("damaged")
                .hasMessageContaining("byte 8");
    }

    @Test
    void anUnknownVersionAndASecondBridgeAreRefused() throws IOException {
        try (Journal journal = Journal.open(directory)) {
            journal.commit(batch("a", "1"), true);
            assertThatThrownBy(() -> Journal.open(directory)).hasMessageContaining("in use by another bridge");
        }
        Path file = directory.resolve("bridge.journal");
        byte[] bytes = Files.readAllBytes(file);
        bytes[7] = 9;
        Files.write(file, bytes);
        assertThatThrownBy(() -> Journal.open(directory)).hasMessageContaining("format version 9");
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
        assertThat(Files.size(directory.resolve("bridge.journal"))).isLessThan(40L << 20);
        assertThat(reopened()).isEqualTo(expected);
    }
}
