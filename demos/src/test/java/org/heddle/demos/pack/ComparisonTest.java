// SPDX-License-Identifier: Apache-2.0
package org.heddle.demos.pack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.heddle.demos.pack.Comparison.Round;
import org.heddle.demos.pack.Comparison.Run;
import org.junit.jupiter.api.Test;

class ComparisonTest {
    private final Comparison comparison = new Comparison();

    private String print() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        comparison.print(new PrintStream(bytes, true, StandardCharsets.UTF_8));
        return bytes.toString(StandardCharsets.UTF_8);
    }

    @Test
    void errorsAndSavingsAreOfAllRounds() {
        comparison.add(new Round(List.of("a", "b"), new Run(100, 110, 0, 1), new Run(60, 63, 0, 0)));
        comparison.add(new Round(List.of("a"), new Run(50, 50, 0, 0), new Run(40, 52, 0, 0)));
        // 10, 5, 0 and 30 %
        assertThat(comparison.medianError()).isCloseTo(0.075, within(1e-9));
        assertThat(comparison.partOfSaving()).isCloseTo(45.0 / 50, within(1e-9));
        assertThat(print())
                .contains(
                        "ok      never more containers",
                        "unused: 1 at most",
                        "ok      median error",
                        "90 % of the predicted saving")
                .doesNotContain("MISSED");
    }

    @Test
    void missedGoalsAreSaid() {
        comparison.add(new Round(List.of("a"), new Run(100, 150, 1, 1), new Run(60, 140, -1, -1)));
        assertThat(print())
                .contains("MISSED  1 containers of a job ran beyond", "MISSED  median error", "MISSED  25 %");
    }
}
