// SPDX-License-Identifier: Apache-2.0
package org.heddle.late.policy.statistics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("pure")
class RecentRateTest {
    private static final long WINDOW = RecentRate.WINDOW_MILLIS;
    private static final double EXACT = 1e-9;

    private int reports;

    /** Six reports at an interval of 6 s, each with a hundredth of the phase. */
    private RecentRate steady(RateNoise noise) {
        RecentRate rate = new RecentRate(noise);
        reports = 0;
        for (int i = 0; i < 6; i++) {
            add(rate, 0.01, 6_000);
        }
        return rate;
    }

    private void add(RecentRate rate, double more, double elapsed) {
        rate.add(more, elapsed, reports++, WINDOW, true);
    }

    private RateNoise quiet() {
        RateNoise noise = new RateNoise();
        for (int i = 0; i < 100; i++) {
            noise.add(1, 1);
        }
        return noise;
    }

    @Test
    void twoReportsShowAnotherPace() {
        RecentRate rate = steady(quiet());
        add(rate, 0.002, 6_000);
        assertThat(rate.slowdown()).isEqualTo(1);
        add(rate, 0.002, 6_000);
        assertThat(rate.rate(0)).isCloseTo(0.002 / 6_000, within(EXACT));
        assertThat(rate.slowdown()).isBetween(3.0, 5.0);
        add(rate, 0.01, 6_000);
        add(rate, 0.01, 6_000);
        assertThat(rate.rate(0)).isCloseTo(0.01 / 6_000, within(EXACT));
        assertThat(rate.slowdown()).isLessThan(1.5);
    }

    @Test
    void ratesThatVaryByHalfShowNoChange() {
        RateNoise noise = new RateNoise();
        for (int i = 0; i < 100; i++) {
            noise.add(1, 1.5);
        }
        RecentRate rate = steady(noise);
        add(rate, 0.005, 6_000);
        add(rate, 0.005, 6_000);
        assertThat(rate.slowdown()).isEqualTo(1);
    }

    @Test
    void aPauseDoesNotCount() {
        RecentRate rate = steady(quiet());
        add(rate, 0.01, 21_000);
        assertThat(rate.rate(0)).isCloseTo(0.01 / 6_000, within(EXACT));
        assertThat(rate.slowdown()).isEqualTo(1);
    }

    /** Progress in steps that take longer and longer is no pause. */
    @Test
    void aSecondLongIntervalCounts() {
        RecentRate rate = steady(quiet());
        add(rate, 0.01, 21_000);
        add(rate, 0.01, 21_000);
        assertThat(rate.rate(0)).isLessThan(0.8 * 0.01 / 6_000);
    }
}
