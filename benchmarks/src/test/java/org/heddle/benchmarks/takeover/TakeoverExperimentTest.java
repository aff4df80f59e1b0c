// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.takeover;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.heddle.benchmarks.experiment.Measurement;
import org.heddle.benchmarks.experiment.Plot;
import org.heddle.benchmarks.experiment.Row;
import org.junit.jupiter.api.Test;

class TakeoverExperimentTest {
    @Test
    void bridgesAndResourceManagersHaveAPlotEach() {
        Measurement measurement = Measurement.of(List.of(
                Row.of("one bridge").with(TakeoverExperiment.LEADS, 1).with(SteadyFramework.BACK, 2),
                Row.of("one ResourceManager")
                        .with(TakeoverExperiment.LEADS, 3)
                        .with(ManagerTakeover.NODES_BACK, 4)
                        .with(ManagerTakeover.CONTAINER, 5)));

        List<Plot> plots = new TakeoverExperiment().plots(measurement);

        assertThat(plots).extracting(Plot::name).containsExactly("bridge", "resource-manager");
        assertThat(plots.get(0).categories()).containsExactly("one bridge");
        assertThat(plots.get(0).curves().get(1).y()).containsExactly(2.0);
        assertThat(plots.get(1).categories()).containsExactly("one ResourceManager");
        assertThat(plots.get(1).curves()).extracting(curve -> curve.y().get(0)).containsExactly(3.0, 4.0, 5.0);
    }
}
