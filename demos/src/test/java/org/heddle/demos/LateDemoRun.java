// SPDX-License-Identifier: Apache-2.0
package org.heddle.demos;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The demo as its users run it; minutes, so by hand only, see docs/testing.md. */
@Tag("soak")
class LateDemoRun {
    @TempDir
    Path directory;

    @Test
    void theJobIsFasterWithLateAndBothTimelinesAreDrawn() throws Exception {
        assertThat(Demo.run("late", "--out", directory.toString()))
                .as("exit code; what the demo printed is this test's output")
                .isZero();
        assertThat(Files.size(directory.resolve("timelines.png"))).isGreaterThan(10_000);
        assertThat(directory.resolve("late.jsonl")).content().contains("LONGEST_TIME_TO_END");
        try (var left = Files.list(directory)) {
            assertThat(left.map(path -> path.getFileName().toString()))
                    .containsExactlyInAnyOrder(
                            "cluster.log", "late.jsonl", "timelines.png", "with-late.jhist", "without.jhist");
        }
    }
}
