// SPDX-License-Identifier: Apache-2.0
package org.heddle.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FormerFileTest {
    @TempDir
    Path directory;

    @Test
    void aFileIsSetAsideOnceAndASecondOneIsRefused() throws IOException {
        Path file = directory.resolve("old");
        assertThat(FormerFile.find(file, "")).isNull();
        Files.writeString(file, "first");
        Objects.requireNonNull(FormerFile.find(file, "")).setAside();
        assertThat(FormerFile.find(file, "")).isNull();
        assertThat(directory.resolve("0.1.0/old")).hasContent("first");
        Files.writeString(file, "second");
        assertThatThrownBy(() -> FormerFile.find(file, ""))
                .hasMessageContaining("move the one away that you do not need");
    }

    @Test
    void aFileThatAnOldProcessWritesIsNotConverted() throws IOException {
        Path file = Files.writeString(directory.resolve("old"), "first");
        try (FormerFile first = FormerFile.find(file, "old.lock")) {
            assertThat(first).isNotNull();
            assertThatThrownBy(() -> FormerFile.find(file, "old.lock"))
                    .isInstanceOf(InUseException.class)
                    .hasMessageContaining("is in use by another process");
        }
        try (FormerFile later = FormerFile.find(file, "old.lock")) {
            assertThat(later).isNotNull();
        }
    }

    @Test
    void anImportIsReadLikeALog() throws IOException {
        LocalStorage storage = new LocalStorage(directory);
        for (int attempt = 0; attempt < 2; attempt++) { // the first one is interrupted
            LogImport log = new LogImport(storage, "the test");
            log.snapshot(4, LogContent.state(4));
            try (LogImport.Segment segment = log.segment(7, 3)) {
                for (int i = 3; i <= 6 - (1 - attempt); i++) {
                    segment.add(i, LogContent.body(i));
                }
            }
        }
        try (WriteAheadLog log = new WriteAheadLog(storage, "the test", modified -> true)) {
            assertThat(LogContent.open(log)).isEqualTo(LogContent.upTo(6));
            assertThat(log.append(List.of(LogContent.body(7)), true)).isEqualTo(7);
        }
        assertThat(Files.exists(directory.resolve(LogFiles.segment(8, 7)))).isTrue();
    }
}
