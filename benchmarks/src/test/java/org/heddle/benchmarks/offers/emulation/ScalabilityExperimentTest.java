// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.offers.emulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.heddle.benchmarks.experiment.Curve;
import org.heddle.benchmarks.experiment.Measurement;
import org.heddle.benchmarks.experiment.Row;
import org.junit.jupiter.api.Test;

class ScalabilityExperimentTest {
    private static Row row(String name, double mean) {
        return Row.of(name)
                .with(Scalability.MEAN, mean)
                .with(Scalability.MEDIAN, mean)
                .with(Scalability.MOST, 10 * mean);
    }

    @Test
    void thePlotHasTheNodesOfEachRow() {
        Measurement measurement = Measurement.of(List.of(row("1,000 nodes", 1), row("50,000 nodes", 2)));
        List<Curve> curves =
                new ScalabilityExperiment().plots(measurement).get(0).curves();
        assertThat(curves)
                .extracting(Curve::name)
                .containsExactly(Scalability.MEAN, Scalability.MEDIAN, Scalability.MOST);
        assertThat(curves).allSatisfy(curve -> assertThat(curve.x()).containsExactly(1_000.0, 50_000.0));
        assertThat(curves.get(2).y()).containsExactly(10.0, 20.0);
    }
}
