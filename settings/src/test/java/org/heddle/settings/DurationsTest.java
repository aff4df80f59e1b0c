// SPDX-License-Identifier: Apache-2.0
package org.heddle.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DurationsTest {
    @ParameterizedTest
    @CsvSource({
        "0ms,0",
        "500ms,500",
        "1s,1000",
        "1.5s,1500",
        "5m,300000",
        "5min,300000",
        "2 min,120000",
        "1h,3600000",
        "1d,86400000",
        "3000000ns,3",
        "2500us,",
        "2000us,2",
        "10M,600000",
        "15S,15000",
        " 7s ,7000",
    })
    void unitsAreHadoopsAndMin(String text, Long millis) {
        if (millis == null) {
            assertThatThrownBy(() -> Durations.millis(text)).hasMessageContaining("whole number of milliseconds");
        } else {
            assertThat(Durations.millis(text)).isEqualTo(millis);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "1",
                "s",
                "-1s",
                "1w",
                "1mo",
                "0.5ms",
                "1e3s",
                "NaN s",
                "99999999999999999999s",
                "１s",
                "1s1s",
                "1.s"
            })
    void otherTextIsNoDuration(String text) {
        assertThatThrownBy(() -> Durations.millis(text)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aNumberWithoutUnitHasTheUnitOfItsKey() {
        assertThat(Durations.millis("10000", TimeUnit.MILLISECONDS)).isEqualTo(10_000);
        assertThat(Durations.millis("10", TimeUnit.MINUTES)).isEqualTo(600_000);
        assertThat(Durations.millis("10s", TimeUnit.MINUTES)).isEqualTo(10_000);
        assertThat(Durations.seconds("0.25", TimeUnit.SECONDS)).isEqualTo(0.25);
        assertThat(Durations.seconds("250us", TimeUnit.SECONDS)).isEqualTo(0.00025);
    }

    @Test
    void whatDoesNotFitIsRefused() {
        assertThatThrownBy(() -> Durations.millis("999999999999999999d")).isInstanceOf(IllegalArgumentException.class);
    }
}
