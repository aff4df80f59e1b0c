// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.scale;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.heddle.benchmarks.experiment.Row;
import org.heddle.benchmarks.rm.Workload;
import org.junit.jupiter.api.Test;

class ScaleExperimentTest {
    @Test
    void growthIsComparedWithTheLogarithmOfTheSize() {
        List<Row> rows = ScaleExperiment.grown(
                List.of(
                        Row.of("100 queues").with("node heartbeat, us", 40).with("application added, us", 2),
                        Row.of("10,000 queues").with("node heartbeat, us", 60).with("application added, us", 5),
                        Row.of("too many").with("not done after, s", 240),
                        Row.of("far too many").with("failed with exit code", 3)),
                List.of(100, 10_000, 1_000_000, 10_000_000));
        assertThat(rows.get(0).median("node heartbeat, x the first row")).isEqualTo(1);
        assertThat(rows.get(1).median("node heartbeat, x the first row")).isEqualTo(1.5);
        assertThat(rows.get(1).median("application added, x the first row")).isEqualTo(2.5);
        assertThat(rows.get(1).median("log, x the first row")).isCloseTo(2, within(1e-9));
        assertThat(rows.get(2).figures()).containsOnlyKeys("not done after, s");
        assertThat(rows.get(3).figures()).containsOnlyKeys("failed with exit code");
    }

    @Test
    void aClusterWithMoreResourceTypesHasAsManyDifferentSizes() {
        Workload load = Workload.of(10, 100, 100, 10, 1, 7);
        assertThat(load.moreTypes()).hasSize(8).startsWith("type2").endsWith("type9");
    }
}
