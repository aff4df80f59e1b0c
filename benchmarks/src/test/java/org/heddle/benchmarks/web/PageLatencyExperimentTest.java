// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.heddle.benchmarks.experiment.Row;
import org.junit.jupiter.api.Test;

class PageLatencyExperimentTest {
    @Test
    void whatPageLatencyPrintsIsRead() {
        List<String> lines = List.of(
                "/heddle/v1/scheduler       median   12.3 ms, 95%   24.0 ms, 99%   30.5 ms, worst   74.1 ms, 800,123 bytes",
                "123,456 heartbeats meanwhile");
        assertThat(PageLatencyExperiment.rows("10 applications: ", lines))
                .containsExactly(Row.of("10 applications: /heddle/v1/scheduler")
                        .with("median, ms", 12.3)
                        .with("p95, ms", 24.0)
                        .with("p99, ms", 30.5)
                        .with("longest, ms", 74.1));
    }
}
