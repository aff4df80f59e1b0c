// SPDX-License-Identifier: Apache-2.0
package org.heddle.demos;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The demo as its users run it; minutes, so by hand only, see docs/testing.md. */
@Tag("soak")
class OffersDemoRun {
    @TempDir
    Path directory;

    @Test
    void sparkMapReduceAndMpiHaveTheirShares() {
        assertThat(Demo.run("offers", "--out", directory.toString()))
                .as("exit code; what the demo printed is this test's output")
                .isZero();
        assertThat(directory.resolve("shares.png")).isNotEmptyFile();
    }
}
