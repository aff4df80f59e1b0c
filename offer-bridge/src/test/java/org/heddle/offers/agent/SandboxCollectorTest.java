// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Each run has a sandbox of its own, and those of ended runs do not stay for ever. */
class SandboxCollectorTest {
    @TempDir
    private Path directory;

    private final AtomicLong clock = new AtomicLong();

    private static long days(long days) {
        return TimeUnit.DAYS.toNanos(days);
    }

    @Test
    void theFullerTheDiskTheYoungerAreThoseThatGo() {
        SandboxCollector collector = new SandboxCollector(directory, clock::get);
        List<Path> paths = new ArrayList<>();
        for (int day = 0; day < 7; day++) {
            clock.set(days(day));
            paths.add(Path.of("day" + day));
            collector.ended(paths.get(day));
        }
        clock.set(days(7));
        assertThat(collector.due(0)).as("6.3 days on an empty disk").containsExactly(paths.get(0));
        assertThat(collector.due(0.5)).as("2.8 days").containsExactlyElementsOf(paths.subList(1, 5));
        assertThat(collector.due(0.9)).as("none").containsExactlyElementsOf(paths.subList(5, 7));
        assertThat(collector.kept()).isZero();
    }

    @Test
    void ofManyTheOldestGo() {
        SandboxCollector collector = new SandboxCollector(directory, clock::get);
        for (int i = 0; i < SandboxCollector.MOST + 5; i++) {
            collector.ended(Path.of("s" + i));
        }
        assertThat(collector.due(0)).hasSize(5).contains(Path.of("s0"), Path.of("s4"));
        assertThat(collector.kept()).isEqualTo(SandboxCollector.MOST);
    }

    @Test
    void eachRunHasAnEmptySandboxAndWhatIsDueIsDeleted() throws IOException {
        Sandboxes sandboxes = new Sandboxes(directory);
        Path first = sandboxes.make("tasks/one");
        Files.writeString(first.resolve("left"), "1");
        sandboxes.collector().ended(first);
        Path second = sandboxes.make("tasks/one");
        assertThat(second).isEqualTo(first).isEmptyDirectory();
        Path kept = directory.toRealPath().resolve("former/1/one");
        assertThat(kept.resolve("left")).hasContent("1");
        for (int i = 0; i < SandboxCollector.MOST; i++) {
            sandboxes.collector().ended(second.resolve("never" + i));
        }
        sandboxes.collector().collect();
        assertThat(kept).doesNotExist();
        assertThat(second).exists();
        assertThat(sandboxes.collector().deleted()).isPositive();
    }
}
