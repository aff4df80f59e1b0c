// SPDX-License-Identifier: Apache-2.0
package org.heddle.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ValueKindTest {
    private static final ConfigKey<Integer> RETRIES =
            new ConfigKey<>("yarn.scheduler.heddle.retries", ValueKind.count(1), "3", "How often.");

    @ParameterizedTest
    @CsvSource({
        "0ms,0",
        "500ms,500",
        "1s,1000",
        "1.5s,1500",
        "2 min,120000",
        "2m,120000",
        "1h,3600000",
        "365d,31536000000"
    })
    void durationsCarryTheirUnit(String text, long millis) {
        assertThat(ValueKind.DURATION_MILLIS.parse(text)).isEqualTo(millis);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "1", "s", "-1s", "1mo", "366d", "0.5ms", "1e3s", "NaN s", "99999999999999999999s", "１s"})
    void otherTextIsNoDuration(String text) {
        assertThatThrownBy(() -> ValueKind.DURATION_MILLIS.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("must be a duration");
    }

    /** As tables of keys say it; each with a value that it takes and one that it refuses. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    a part above 0 and up to 1, such as 0.5 or 50% | 5% | 0
                    a duration from 0ms to 365d, such as 500ms, 1s, 5m or 2h | 5m | 5
                    a duration such as 500ms, 15s or 10m, or a whole number of milliseconds, from 1 to 31536000000 (365 days) | 5 | 0
                    a whole number from 0 to 2147483647 | 0 | -1
                    a size such as 512Mi or 4Gi, or a whole number of MiB, from 1 to 1073741824 MiB | 4Gi | 0
                    one of stop, wait | wait | waits
                    true or false | true | yes
                    """)
    void kindsAreFoundByTheirWords(String what, String right, String wrong) {
        ValueKind<?> kind = ValueKind.called(what);
        assertThat(kind.what()).isEqualTo(what);
        assertThat(kind.parse(right)).isNotNull();
        assertThatThrownBy(() -> kind.parse(wrong)).hasMessage("must be " + what);
        assertThat(ValueKind.called("host:port")).isSameAs(ValueKind.TEXT);
    }

    @ParameterizedTest
    @CsvSource({"0,0", "1,1", "0.05,0.05", "5%,0.05", "12.5 %,0.125", "100%,1"})
    void partsArePlainOrPercent(String text, double part) {
        assertThat(ValueKind.FRACTION.parse(text)).isEqualTo(part);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "%", "-0.1", "1.01", "101%", "NaN", "Infinity", "1e-3", "0x1", "0.5f"})
    void otherTextIsNoPart(String text) {
        assertThatThrownBy(() -> ValueKind.FRACTION.parse(text)).hasMessageStartingWith("must be a part");
    }

    @ParameterizedTest
    @ValueSource(strings = {"-1", "-0", "NaN", "Infinity", "1000001", "0.0000001", "", "1,5", "two"})
    void weightsAreBounded(String text) {
        assertThatThrownBy(() -> ValueKind.WEIGHT.parse(text)).hasMessageStartingWith("must be 0, or a number");
    }

    @Test
    void weightsMayBeZeroUnlessTheyMustNot() {
        assertThat(ValueKind.WEIGHT.parse(" 0 ")).isZero();
        assertThatThrownBy(() -> ValueKind.POSITIVE_WEIGHT.parse("0")).hasMessageContaining("0.000001");
        assertThatThrownBy(() -> ValueKind.POSITIVE_FRACTION.parse("0%")).hasMessageContaining("above 0");
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "-1", "1.5", "2147483648", "", "many"})
    void aKeyNamesItselfTheValueAndWhatIsValid(String text) {
        assertThatThrownBy(() -> RETRIES.read(Map.of(RETRIES.name(), text)::get))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("yarn.scheduler.heddle.retries = '" + text
                        + "': must be a whole number from 1 to 2147483647 (default 3)");
    }

    @ParameterizedTest
    @CsvSource({"10000,10000", "10s,10000", "5m,300000", "0,0"})
    void millisecondsMayHaveAnotherUnit(String text, long millis) {
        assertThat(ValueKind.MILLIS.parse(text)).isEqualTo(millis);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "-1", "31536000001", "366d", "0.5", "1w"})
    void otherTextIsNoMilliseconds(String text) {
        assertThatThrownBy(() -> ValueKind.MILLIS.parse(text)).hasMessageStartingWith("must be a duration such as");
    }

    @Test
    void numbersHaveTheirRange() {
        assertThat(ValueKind.number("0", "0.9").parse("0.9")).isEqualTo(0.9);
        assertThatThrownBy(() -> ValueKind.number("0", "0.9").parse("1")).hasMessage("must be a number from 0 to 0.9");
        assertThat(ValueKind.millis(1).parse("1")).isEqualTo(1);
        assertThatThrownBy(() -> ValueKind.millis(1).parse("0ms")).hasMessageContaining("from 1 to");
        assertThat(ValueKind.size("Mi", 16, 4096).parse("4Gi")).isEqualTo(4096);
        assertThatThrownBy(() -> ValueKind.size("Mi", 16, 4096).parse("15"))
                .hasMessageContaining("from 16 to 4096 MiB");
        assertThatThrownBy(() -> ValueKind.size("Mi", 16, 4096).parse("99999999Pi"))
                .hasMessageContaining("MiB");
    }

    @Test
    void constantsAreWrittenInSmallLetters() {
        ValueKind<TimeUnit> units = ValueKind.oneOf(TimeUnit.class);
        assertThat(units.parse("days")).isEqualTo(TimeUnit.DAYS);
        assertThatThrownBy(() -> units.parse("Days")).hasMessageContaining("one of nanoseconds, microseconds");
    }

    @Test
    void aKeyThatIsNotSetHasItsFallback() {
        assertThat(RETRIES.read(name -> null)).isEqualTo(3);
        assertThat(RETRIES.read(name -> " 7 ")).isEqualTo(7);
    }

    @Test
    void aFallbackThatIsNotValidIsAMistakeInTheCode() {
        assertThatThrownBy(() -> new ConfigKey<>("x", ValueKind.count(1), "0", ""))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
