// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.drf;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.heddle.benchmarks.experiment.Measurement;
import org.heddle.benchmarks.experiment.Row;
import org.heddle.benchmarks.experiment.Run;
import org.heddle.benchmarks.experiment.Scale;
import org.junit.jupiter.api.Test;

class ExamplesExperimentTest {
    private static final Run RUN = new Run(Scale.QUICK, List.of(1L), Path.of(".."), Path.of("target"), what -> {});

    @Test
    void theExamplesComeOutAsInThePapers() {
        List<List<Double>> tasks = new ExamplesExperiment()
                .run(RUN).rows().stream()
                        .map(row -> List.of(row.median("tasks of the first"), row.median("tasks of the second")))
                        .toList();
        assertThat(tasks.get(0)).containsExactly(50.0, 150.0);
        assertThat(tasks.get(1)).containsExactly(60.0, 120.0);
        assertThat(tasks.get(4)).containsExactly(3.0, 2.0);
    }

    @Test
    void onlyDrfKeepsTheShareGuarantee() {
        List<Row> rows = new PropertiesExperiment().run(RUN).rows();
        assertThat(rows).extracting(Row::name).containsExactly("drf", "asset", "max-utilization");
        assertThat(rows.get(0).median("guarantee broken, % of users")).isZero();
        assertThat(rows.get(1).median("guarantee broken, % of users")).isPositive();
    }

    @Test
    void theChoicesAlternateByDominantShare() {
        Measurement choices = new ChoicesExperiment().run(RUN);
        assertThat(choices.rows().stream().map(Row::name))
                .containsExactly("1. user B", "2. user A", "3. user A", "4. user B", "5. user A");
        assertThat(choices.rows().get(4).median("CPUs in use")).isEqualTo(1);
    }
}
