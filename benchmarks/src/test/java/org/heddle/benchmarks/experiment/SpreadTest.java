// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SpreadTest {
    @Test
    void theMedianIsTheMiddleOrTheMeanOfTheTwoInTheMiddle() {
        assertThat(Spread.of(List.of(3.0, 1.0, 2.0))).isEqualTo(new Spread(2, 1, 3, 3));
        assertThat(Spread.of(List.of(4.0, 1.0, 2.0, 3.0))).isEqualTo(new Spread(2.5, 1, 4, 4));
        assertThat(Spread.of(7).spans()).isFalse();
        assertThatThrownBy(() -> Spread.of(List.of()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("at least one repetition");
    }

    @Test
    void aBandCoversWhatTheLargerOfItsLimitsAllows() {
        Band band = new Band(0.1, 2);
        assertThat(band.covers(100, 109)).isTrue();
        assertThat(band.covers(100, 111)).isFalse();
        assertThat(band.covers(1, 2.9)).isTrue();
        assertThat(band.covers(1, 3.1)).isFalse();
        assertThat(band.covers(Double.NaN, Double.NaN)).isTrue();
        assertThat(band.covers(1, Double.POSITIVE_INFINITY)).isFalse();
    }

    @Test
    void aColumnWithoutABandOfItsOwnHasTheUsualOne() {
        Bands bands = new Bands(Band.within(0.5), Map.of("seconds", Band.within(0.1)));
        assertThat(bands.of("seconds")).isEqualTo(Band.within(0.1));
        assertThat(bands.of("else")).isEqualTo(Band.within(0.5));
    }

    @Test
    void aCurveHasAsManyValuesOfEachKind() {
        assertThatThrownBy(() -> new Curve("plot", "line", List.of(1.0), List.of()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("curve line of plot plot");
    }
}
