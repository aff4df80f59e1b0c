// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.fit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class PairStretchTest {
    @Test
    void aJobThatEndsFirstIsStretchedByItsWholeTime() {
        assertThat(PairStretch.of(100, 130, 130)).isCloseTo(1.3, within(1e-12));
    }

    @Test
    void theTimeThatAJobRanAloneCountsAsItIs() {
        // 90 of its 150 seconds beside another job: 60 s of work alone, and the other 40 s of work took 90 s.
        assertThat(PairStretch.of(100, 150, 90)).isCloseTo(2.25, within(1e-12));
    }

    @Test
    void tooShortATimeTogetherShowsNothing() {
        assertThat(PairStretch.of(100, 110, 20)).isNaN();
        assertThat(PairStretch.of(100, 160, 50))
                .as("110 s alone were enough for the job")
                .isNaN();
    }

    @Test
    void alphaIsTheMeanOfTheLargerStretches() {
        PairStretch stretch = new PairStretch();
        assertThat(stretch.add(1.2, 1.1)).isTrue();
        assertThat(stretch.add(Double.NaN, 1.4)).isTrue();
        assertThat(stretch.add(1.3, Double.NaN)).isTrue();
        assertThat(stretch.add(Double.NaN, Double.NaN)).isFalse();
        assertThat(stretch.runs()).isEqualTo(3);
        assertThat(stretch.alpha()).isCloseTo(1.3, within(1e-12));
        // Student's t for 2 degrees and 90 %, times 0.1 / sqrt(3).
        assertThat(stretch.margin()).isCloseTo(2.919986 * 0.1 / Math.sqrt(3), within(1e-6));
    }

    @Test
    void alphaIsNeverBelowOneAndOneRunHasNoInterval() {
        PairStretch stretch = new PairStretch();
        assertThat(stretch.alpha()).isNaN();
        stretch.add(0.9, 0.95);
        assertThat(stretch.alpha()).isEqualTo(1);
        assertThat(stretch.margin()).isNaN();
    }
}
