// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.whatif;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.heddle.benchmarks.experiment.Row;
import org.junit.jupiter.api.Test;

class WholeDayExperimentTest {
    @Test
    void theTableOfTheCommandIsRead() {
        Row row = WholeDayExperiment.row(
                "FairScheduler",
                201.5,
                List.of(
                        "schedulers",
                        "                recorded     fair",
                        "tasks ended          984      983",
                        "memory used            -   89.4 %"));
        assertThat(row)
                .isEqualTo(Row.of("FairScheduler")
                        .with("time, s", 201.5)
                        .with("tasks of the past", 984)
                        .with("tasks that ended", 983)
                        .with("memory used, %", 89.4));
    }

    @Test
    void aCommandThatPrintsNoTableIsAnError() {
        assertThatThrownBy(() -> WholeDayExperiment.row("FairScheduler", 1, List.of("heddle whatif: no")))
                .hasMessageContaining("tasks ended");
    }
}
