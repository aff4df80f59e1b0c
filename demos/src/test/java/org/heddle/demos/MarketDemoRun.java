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
class MarketDemoRun {
    @TempDir
    Path directory;

    @Test
    void everybodyHoldsWhatHePaysForAndNothingIsLeftBehind() throws Exception {
        assertThat(Demo.run("market", "--out", directory.toString()))
                .as("exit code; what the demo printed is this test's output")
                .isZero();
        assertThat(Files.size(directory.resolve("market.png"))).isGreaterThan(20_000);
        try (var left = Files.list(directory)) {
            assertThat(left.map(path -> path.getFileName().toString()))
                    .containsExactlyInAnyOrder(
                            "cluster.log", "market.png", "shares.svg", "price.svg", "balances.svg", "completion.svg");
        }
    }
}
