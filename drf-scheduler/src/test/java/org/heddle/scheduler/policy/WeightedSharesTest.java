// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("pure")
class WeightedSharesTest {
    private static final double ANY = 1e9;

    @Test
    void byWeightWithinLeastAndMost() {
        assertThat(WeightedShares.of(100, new double[] {3, 1, 1}, new double[] {0, 30, 0}, new double[] {ANY, ANY, 5}))
                .containsExactly(new double[] {65, 30, 5}, within(1e-6));
        assertThat(WeightedShares.of(100, new double[] {0, 0}, new double[] {10, 0}, new double[] {ANY, ANY}))
                .as("weight 0 gets its least")
                .containsExactly(new double[] {10, 0}, within(1e-6));
        assertThat(WeightedShares.of(100, new double[] {1, 1}, new double[] {0, 0}, new double[] {10, 20}))
                .as("nobody may have more")
                .containsExactly(new double[] {10, 20}, within(1e-6));
    }

    /** All is divided unless everyone has the most, and nobody is outside what it may have. */
    @Test
    void nothingIsLostOrMade() {
        for (long seed = 0; seed < 200; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            int n = 1 + random.nextInt(9);
            double[] weight = random.doubles(n, 0.1, 10).toArray();
            double[] least = random.doubles(n, 0, 5).toArray();
            double[] most =
                    Arrays.stream(least).map(l -> l + random.nextDouble(40)).toArray();
            double total = Arrays.stream(least).sum() + random.nextDouble(200);
            double[] share = WeightedShares.of(total, weight, least, most);
            assertThat(Arrays.stream(share).sum())
                    .as("seed %s", seed)
                    .isCloseTo(Math.min(total, Arrays.stream(most).sum()), within(1e-6));
            for (int i = 0; i < n; i++) {
                assertThat(share[i]).as("seed %s", seed).isBetween(least[i], most[i]);
            }
        }
    }
}
