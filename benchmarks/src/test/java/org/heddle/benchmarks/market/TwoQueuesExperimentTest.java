// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.market;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Path;
import java.util.List;
import org.heddle.benchmarks.experiment.Measurement;
import org.heddle.benchmarks.experiment.Plot;
import org.heddle.benchmarks.experiment.Row;
import org.heddle.benchmarks.experiment.Run;
import org.heddle.benchmarks.experiment.Scale;
import org.junit.jupiter.api.Test;

class TwoQueuesExperimentTest {
    @Test
    void whoPaysTwiceTheRateIsServedTwiceAsFastWhileTheBudgetLasts() {
        TwoQueuesExperiment experiment = new TwoQueuesExperiment();
        Measurement measurement =
                experiment.run(new Run(Scale.QUICK, List.of(1L), Path.of(".."), Path.of("target"), what -> {}));
        List<Row> rows = measurement.rows();
        assertThat(rows.get(0).median("queue 2 / queue 1")).isCloseTo(2, within(0.05));
        assertThat(rows.get(0).median("spending, queue 2 / queue 1, %")).isCloseTo(25, within(0.5));
        assertThat(rows.get(1).median("job of queue1, s")).isNaN();
        assertThat(rows.get(2).median("queue 2 / queue 1")).isCloseTo(2, within(0.05));
        assertThat(rows.get(3).median("queue 2 / queue 1")).isCloseTo(1, within(0.05));
        assertThat(experiment.plots(measurement)).extracting(Plot::name).containsExactly("figure-3", "figure-4");
        assertThat(measurement.curves("figure-3")).hasSize(2);
    }
}
