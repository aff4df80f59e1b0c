// SPDX-License-Identifier: Apache-2.0
package org.heddle.journal.hdfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.heddle.journal.FencedException;
import org.heddle.journal.LogContent;
import org.heddle.journal.WriteAheadLog;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The NameNode makes a process the leader, and its answer is lost. */
class LostAnswerTest {
    private static final String CLAIMS = "leader-[0-9]+";

    @TempDir
    Path directory;

    private WriteAheadLog log() {
        return new WriteAheadLog(LeaseFileSystem.storage(directory), "the test", modified -> true);
    }

    private static void assertFailsOnce(WriteAheadLog log) {
        LeaseFileSystem.loseAnswer(CLAIMS);
        assertThatThrownBy(() -> LogContent.open(log))
                .isNotInstanceOf(FencedException.class)
                .hasMessageContaining("the connection was closed");
    }

    @Test
    void theNextAttemptFindsItsOwnClaim() throws IOException {
        try (WriteAheadLog log = log()) {
            assertFailsOnce(log);
            assertFailsOnce(log);
            assertThat(LogContent.open(log)).isEmpty();
            log.append(List.of(LogContent.body(1)), true);
            assertFailsOnce(log);
            assertThat(LogContent.open(log)).isEqualTo(LogContent.upTo(1));
            log.append(List.of(LogContent.body(2)), true);
        }
    }

    @Test
    void aClaimOfAnotherProcessIsNotItsOwn() throws IOException {
        try (WriteAheadLog log = log();
                WriteAheadLog other = log()) {
            LogContent.open(log);
            log.append(List.of(LogContent.body(1)), true);
            assertFailsOnce(log);
            assertThat(LogContent.open(other)).isEqualTo(LogContent.upTo(1));
            assertThatThrownBy(() -> LogContent.open(log)).isInstanceOf(FencedException.class);
            other.append(List.of(LogContent.body(2)), true);
        }
    }
}
