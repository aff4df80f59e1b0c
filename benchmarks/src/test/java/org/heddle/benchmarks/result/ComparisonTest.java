// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.result;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.heddle.benchmarks.experiment.Bands;
import org.heddle.benchmarks.experiment.Measurement;
import org.heddle.benchmarks.experiment.Row;
import org.heddle.benchmarks.experiment.Scale;
import org.junit.jupiter.api.Test;

class ComparisonTest {
    private static Comparison compare(Result earlier, Result later) {
        return Comparison.of(earlier, later, Bands.within(0.05), true);
    }

    @Test
    void figuresWithinTheirBandsAreNoChange() {
        Comparison comparison = compare(MadeUp.result("one", 100), MadeUp.result("one", 104));
        assertThat(comparison.outside()).isEmpty();
        assertThat(comparison.notes()).isEmpty();
    }

    @Test
    void figuresBeyondTheirBandsAreNamed() {
        assertThat(compare(MadeUp.result("one", 100), MadeUp.result("one", 110)).outside())
                .containsExactly(
                        "one, none, job, s: 100.000 before, 110.000 now; the band is 5.00 % or 0.00",
                        "one, late, job, s: 50.0000 before, 55.0000 now; the band is 5.00 % or 0.00");
    }

    @Test
    void rowsAndColumnsThatOnlyOneOfThemHasAreNamed() {
        Measurement other =
                Measurement.of(List.of(Row.of("late").with("job, s", 50).with("more", 1), Row.of("third")));
        Result later = new Result("one", Scale.QUICK, MadeUp.provenance(), other);
        assertThat(compare(MadeUp.result("one", 100), later).outside())
                .containsExactly(
                        "one has no row none any more",
                        "one, late has no wasted, % any more",
                        "one, late has a new column more",
                        "one has a new row third");
    }

    @Test
    void aComparisonOfDisturbedRunsOrOtherMachinesSaysSo() {
        Result disturbed = new Result("one", Scale.QUICK, MadeUp.disturbed(), MadeUp.measurement(100));
        assertThat(compare(MadeUp.result("one", 100), disturbed).notes())
                .singleElement()
                .asString()
                .contains("other programs used 1.50 cores");
        assertThat(Comparison.of(MadeUp.result("one", 100), disturbed, Bands.EXACT, false)
                        .notes())
                .isEmpty();
    }
}
