// SPDX-License-Identifier: Apache-2.0
package org.heddle.demos;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The demo as its users run it, as short as it may be. */
@Tag("long-3")
class OffersDemoIT {
    @TempDir
    Path directory;

    @Test
    void frameworksAndAJobShareTheCluster() {
        assertThat(Demo.run("offers", "--small", "--seconds", "40", "--out", directory.toString()))
                .as("exit code; what the demo printed is this test's output")
                .isZero();
        assertThat(directory.resolve("shares.png")).isNotEmptyFile();
    }
}
