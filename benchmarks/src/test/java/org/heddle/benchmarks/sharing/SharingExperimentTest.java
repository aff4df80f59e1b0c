// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.sharing;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.heddle.benchmarks.experiment.Measurement;
import org.heddle.benchmarks.experiment.Plot;
import org.heddle.benchmarks.experiment.Row;
import org.junit.jupiter.api.Test;

class SharingExperimentTest {
    @Test
    void sharesAreLinesAndRunTimesAreBars() {
        Measurement measurement = new Measurement(
                List.of(
                        Row.of("Spark").with(SharingExperiment.ALONE, 30).with(SharingExperiment.BESIDE, 50),
                        Row.of("Spark: Spark").with(SharingExperiment.SHARE, 90)),
                ShareHistory.curves("shares", List.of("at 0.0 s: 50.0 25.0 0.0 75.0")));

        List<Plot> plots = new SharingExperiment().plots(measurement);

        assertThat(plots).extracting(Plot::name).containsExactly("shares", "run-times");
        assertThat(plots.get(0).curves()).extracting(curve -> curve.y().get(0)).containsExactly(50.0, 25.0, 0.0, 75.0);
        assertThat(plots.get(1).categories()).containsExactly("Spark");
        assertThat(plots.get(1).curves()).extracting(curve -> curve.y().get(0)).containsExactly(30.0, 50.0);
    }
}
