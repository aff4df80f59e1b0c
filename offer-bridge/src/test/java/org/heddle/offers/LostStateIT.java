// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.heddle.offers.fixture.BridgeProcess;
import org.heddle.offers.store.Journal;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The only file of the log in {@code state.dir} is deleted: the process ends with a sentence and does not begin anew.
 */
class LostStateIT {
    @Test
    void aBridgeWithoutItsLogDoesNotStart(@TempDir Path directory) throws Exception {
        Path state = directory.resolve("state");
        try (Journal journal = Journal.open(state)) {
            journal.commit(Map.of("framework", "a".getBytes(StandardCharsets.UTF_8)), true);
            journal.commit(Map.of("task", "b".getBytes(StandardCharsets.UTF_8)), true);
        }
        Files.delete(state.resolve("log-0000000001-0000000000000000001"));
        try (BridgeProcess bridge = BridgeProcess.withoutCluster(directory)) {
            assertThat(bridge.awaitEnd())
                    .contains("heddle bridge: heddle.bridge.state.dir: " + state
                            + " has lost its records 1 to 2: the file"
                            + " log-*-0000000000000000001 was deleted; restore the directory from a copy, or create the"
                            + " empty file " + state + "/ends-at-0 to go on without what is missing")
                    .doesNotContain("Exception");
        }
        Files.createFile(state.resolve("ends-at-0"));
        try (Journal journal = Journal.open(state)) {
            assertThat(journal.live()).isEmpty();
        }
    }
}
