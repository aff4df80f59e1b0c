// SPDX-License-Identifier: Apache-2.0
package org.heddle.settings;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.function.LongSupplier;
import org.junit.jupiter.api.Test;

class ClocksTest {
    private long millis = 5_000;
    private long date = 1_700_000_000_000L;
    private final Clocks clocks = new Clocks(() -> millis, () -> date);

    @Test
    void momentsHaveDatesByThePresentSettingOfTheWallClock() {
        assertThat(clocks.dateOf(4_000)).isEqualTo(1_699_999_999_000L);
        assertThat(clocks.millisAt(1_700_000_002_000L)).isEqualTo(7_000);

        LongSupplier dates = clocks.datesWithoutSteps();
        date += 3_600_000;
        millis += 10;

        assertThat(clocks.millis()).isEqualTo(5_010);
        assertThat(clocks.dateOf(4_010)).isEqualTo(1_700_003_599_000L);
        assertThat(dates.getAsLong()).isEqualTo(1_700_000_000_010L);
    }

    @Test
    void theSystemsClocksGoForward() {
        long before = Clocks.SYSTEM.millis();
        assertThat(Clocks.SYSTEM.millis()).isGreaterThanOrEqualTo(before);
        assertThat(Clocks.SYSTEM.date()).isGreaterThan(1_700_000_000_000L);
    }
}
