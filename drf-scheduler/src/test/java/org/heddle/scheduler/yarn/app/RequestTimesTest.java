// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn.app;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RequestTimesTest {
    private final RequestTimes times = new RequestTimes();

    @Test
    void theOldestRequestIsServedFirstAndTheNewestIsWithdrawnFirst() {
        times.set(2, 1_000);
        times.set(5, 4_000);
        assertThat(times.served(5_000)).isEqualTo(4_000);
        times.set(2, 6_000); // of the three of 4000 two are withdrawn
        assertThat(times.served(6_000)).isEqualTo(5_000);
        assertThat(times.served(6_000)).isEqualTo(2_000);
        assertThat(times.served(6_000)).as("not taken over yet").isZero();
    }

    @Test
    void requestsAfterAPauseCountFromTheirOwnTime() {
        times.set(1, 1_000);
        times.set(0, 2_000);
        times.set(1, 9_000);
        assertThat(times.served(9_500)).isEqualTo(500);
    }

    @Test
    void manyRunsAreKeptInLittleMemoryAndNoneIsLost() {
        for (int i = 1; i <= 1_000; i++) {
            times.set(i, i);
        }
        for (int i = 1; i <= 1_000; i++) {
            assertThat(times.served(2_000)).isBetween(1_000L, 2_000L);
        }
        times.set(0, 2_000);
        assertThat(times.served(2_000)).isZero();
    }

    @Test
    void aClockThatGoesBackMakesNoNegativeDelay() {
        times.set(1, 1_000);
        assertThat(times.served(500)).isZero();
    }
}
