// SPDX-License-Identifier: Apache-2.0
package org.heddle.late.mr;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SteadyTimeTest {
    private static final long HOUR = 3_600_000;

    private final SteadyTime time = new SteadyTime(10_000);

    @Test
    void withoutJumpsTheTimeIsThatOfTheClock() {
        assertThat(time.at(5_000)).isEqualTo(5_000);
        assertThat(time.at(15_000)).isEqualTo(15_000);
        assertThat(time.earlier(14_000, 16_000)).isEqualTo(14_000);
    }

    @Test
    void jumpsInBothDirectionsTakeNoTime() {
        assertThat(time.at(1_000)).isEqualTo(1_000);
        assertThat(time.at(1_000 + HOUR)).isEqualTo(1_000);
        assertThat(time.at(2_000 + HOUR)).isEqualTo(2_000);
        assertThat(time.at(500)).isEqualTo(2_000);
        assertThat(time.at(1_500)).isEqualTo(3_000);
    }

    @Test
    void aMomentBeforeAJumpCountsAsNow() {
        time.at(1_000);
        assertThat(time.earlier(1_500, 2_000 + HOUR)).isEqualTo(1_000);
        assertThat(time.earlier(2_000 + HOUR, 3_000 + HOUR)).isEqualTo(1_000);
        assertThat(time.earlier(4_000 + HOUR, 3_000)).as("later than now").isEqualTo(2_000);
    }
}
