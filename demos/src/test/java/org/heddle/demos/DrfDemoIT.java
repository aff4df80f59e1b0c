// SPDX-License-Identifier: Apache-2.0
package org.heddle.demos;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The demo as its users run it, only shorter and with fewer tasks. */
@Tag("long-2")
class DrfDemoIT {
    @TempDir
    Path directory;

    @Test
    void aShortRunSucceedsAndDrawsItsPlots() throws Exception {
        assertThat(Demo.run("drf", "--seconds", "25", "--workers", "2", "--out", directory.toString()))
                .as("exit code; what the demo printed is this test's output")
                .isZero();
        assertThat(Files.size(directory.resolve("shares.png"))).isGreaterThan(5_000);
        // Texts are drawn as outlines, so names cannot be looked for.
        assertThat(Files.readString(directory.resolve("shares.svg")).contains("<svg"))
                .isTrue();
        try (var left = Files.list(directory)) {
            assertThat(left.map(path -> path.getFileName().toString()))
                    .containsExactlyInAnyOrder("cluster.log", "shares.png", "shares.svg");
        }
    }
}
