// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.fit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.heddle.packing.model.PowerModel;
import org.junit.jupiter.api.Test;

class NextRunTest {
    private static final PowerModel TRUTH = new PowerModel(600, -0.7);

    private static NextRun after(List<Measurement> runs) {
        return Objects.requireNonNull(NextRun.after(runs, TRUTH, 64));
    }

    private static Measurement run(int n, double noise) {
        return new Measurement(n, TRUTH.seconds(n) * noise, "test");
    }

    @Test
    void fromOneCountAnotherOneIsAsked() {
        NextRun next = after(List.of(run(64, 1)));
        assertThat(next.vms()).isNotEqualTo(64);
        assertThat(next.bandNow()).isInfinite();
        assertThat(next.isWorthIt()).isTrue();
    }

    @Test
    void twoRunsDoNotTellTheNoiseSoAThirdIsWorthIt() {
        assertThat(after(List.of(run(64, 1), run(8, 1))).isWorthIt()).isTrue();
    }

    @Test
    void withoutNoiseThreeRunsAreEnough() {
        assertThat(after(List.of(run(64, 1), run(8, 1), run(1, 1))).isWorthIt()).isFalse();
    }

    @Test
    void eachRunThatIsWorthItNarrowsTheBandUntilNoneIs() {
        Random random = new Random(5);
        List<Measurement> runs = new ArrayList<>(List.of(run(64, 1.02), run(8, 0.97)));
        for (int turn = 0; turn < 60; turn++) {
            NextRun next = after(runs);
            if (!next.isWorthIt()) {
                return;
            }
            assertThat(next.vms()).isBetween(1, 64);
            assertThat(runs.size() < 3 || next.bandThen() < next.bandNow()).isTrue();
            runs.add(run(next.vms(), Math.exp(0.05 * random.nextGaussian())));
        }
        assertThat(runs).as("runs asked for").hasSizeLessThan(60);
    }

    @Test
    void oneSlotLeavesNothingToAsk() {
        assertThat(NextRun.after(List.of(run(1, 1)), TRUTH, 1)).isNull();
    }
}
