// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.market;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.heddle.benchmarks.experiment.Row;
import org.heddle.benchmarks.experiment.Spread;
import org.junit.jupiter.api.Test;

class EpochTimesExperimentTest {
    @Test
    void whatEpochTimesPrintsIsRead() {
        List<String> first = List.of(
                "1000 active queues, 1000 epochs:",
                "    epoch  median   0.160 ms, p99   0.470 ms, longest   1.200 ms; processor median   0.150 ms, p99   0.410 ms",
                "    look   median   0.100 ms, p99   0.200 ms, longest   0.300 ms; processor median   0.100 ms, p99   0.200 ms");
        List<String> second = List.of(
                "1000 active queues, 1000 epochs:",
                "    epoch  median   0.140 ms, p99   0.450 ms, longest   1.000 ms; processor median   0.150 ms, p99   0.390 ms");
        assertThat(EpochTimesExperiment.rows(List.of(first, second)))
                .containsExactly(Row.of("1000 queues")
                        .with("median, ms", Spread.of(List.of(0.16, 0.14)))
                        .with("p99, ms", Spread.of(List.of(0.47, 0.45)))
                        .with("longest, ms", Spread.of(List.of(1.2, 1.0)))
                        .with("processor time, p99, ms", Spread.of(List.of(0.41, 0.39))));
    }
}
