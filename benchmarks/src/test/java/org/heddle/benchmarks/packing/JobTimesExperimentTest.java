// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.packing;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.heddle.benchmarks.experiment.Measurement;
import org.heddle.benchmarks.experiment.Row;
import org.heddle.benchmarks.experiment.Run;
import org.heddle.benchmarks.experiment.Scale;
import org.junit.jupiter.api.Test;

class JobTimesExperimentTest {
    @Test
    void moreMachinesHelpLessAndLess() {
        Measurement measurement = new JobTimesExperiment()
                .run(new Run(Scale.QUICK, List.of(1L), Path.of(".."), Path.of("target"), what -> {}));
        assertThat(measurement.rows()).extracting(Row::name).containsExactly("s-srt", "s-kmns", "s-inv", "s-dsim");
        for (Row row : measurement.rows()) {
            assertThat(row.median("2 VMs, s") - row.median("6 VMs, s"))
                    .as(row.name())
                    .isGreaterThan(row.median("6 VMs, s") - row.median("18 VMs, s"));
        }
        assertThat(measurement.curves("figure-1")).allMatch(curve -> curve.x().size() == 18);
    }
}
