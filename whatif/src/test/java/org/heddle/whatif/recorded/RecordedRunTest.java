// SPDX-License-Identifier: Apache-2.0
package org.heddle.whatif.recorded;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Histories that {@link RecordedRunIT} recorded: the replay agrees with what happened. */
class RecordedRunTest {
    @TempDir
    private Path scratch;

    @Test
    void theReplayTakesAsLongAsTheClusterDid() throws IOException {
        RecordedRun.assertNear(
                RecordedRun.replay(Path.of("src/test/resources/org/heddle/whatif/recorded"), scratch), 0.1);
    }
}
