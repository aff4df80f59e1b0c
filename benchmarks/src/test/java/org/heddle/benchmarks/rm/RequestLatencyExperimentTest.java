// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.rm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.heddle.benchmarks.experiment.Row;
import org.heddle.benchmarks.experiment.Spread;
import org.junit.jupiter.api.Test;

class RequestLatencyExperimentTest {
    @Test
    void whatAskLatencyPrintsIsRead() {
        String first =
                "fair 200 0 1 10: containers 1270, ms p50 104.00, p90 200.00, p99 476.00, most 600; same answer 0.015,"
                        + " node-local 0.018, cores in use at the end 0.10";
        String second = first.replace("104.00", "106.00");
        Row row = RequestLatencyExperiment.row("idle, fair", List.of(first, second));
        assertThat(row.figures().get("p50, ms")).isEqualTo(new Spread(105, 104, 106, 2));
        assertThat(row.median("p99, ms")).isEqualTo(476);
        assertThat(row.median("longest, ms")).isEqualTo(600);
        assertThat(row.median("same answer, %")).isCloseTo(1.5, within(1e-9));
        assertThat(row.median("node-local, %")).isCloseTo(1.8, within(1e-9));
    }

    @Test
    void inTheWorkloadOfStarvationNeitherResourceIsInTheWayOfTheOther() {
        Workload load = Workload.named(Workload.STARVED, 1);
        int memory = Workload.MEMORY_USER;
        int ofMemory = load.memoryMb() / load.memoryOf(memory);
        int ofCores = (load.vcores() - ofMemory * load.vcoresOf(memory)) / load.vcoresOf(0);
        assertThat(ofCores).isEqualTo(load.vcores() / load.vcoresOf(0));
        assertThat(ofMemory * load.memoryOf(memory) + ofCores * load.memoryOf(0))
                .isLessThanOrEqualTo(load.memoryMb());
        assertThat(load.most(memory)).isEqualTo(ofMemory * load.nodes());
        assertThat(load.ends(memory)).isFalse();
        assertThat(List.of(
                        load.path(0).get(0),
                        load.path(1).get(0),
                        load.path(memory).get(0)))
                .containsExactly("n1", "n2", "n2");
    }
}
