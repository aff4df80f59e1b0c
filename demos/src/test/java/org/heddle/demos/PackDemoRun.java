// SPDX-License-Identifier: Apache-2.0
package org.heddle.demos;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The demo as its users run it, with half of its jobs, a fifth of their work and one measured VM count each; minutes,
 * so by hand only, see docs/testing.md.
 */
@Tag("soak")
class PackDemoRun {
    @TempDir
    Path directory;

    @Test
    void aShortRunSucceedsAndDrawsItsPictures() throws Exception {
        assertThat(Demo.run(
                        "pack",
                        "--at",
                        "2",
                        "--jobs",
                        "copy-small,hash-small",
                        "--size",
                        "0.2",
                        "--pairs",
                        "--out",
                        directory.toString()))
                .as("exit code; what the demo printed is this test's output")
                .isZero();
        assertThat(directory.resolve("round-1.html")).content().contains("Actual, s");
        assertThat(directory.resolve("fits").resolve("copy-small.svg")).exists();
        try (var left = Files.list(directory)) {
            assertThat(left.map(path -> path.getFileName().toString()))
                    .noneMatch(name -> name.startsWith("heddle-cluster"));
        }
    }
}
