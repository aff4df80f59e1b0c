// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.heddle.benchmarks.experiment.Row;
import org.heddle.benchmarks.experiment.Spread;
import org.junit.jupiter.api.Test;

class JobWallTimesExperimentTest {
    private static List<String> table(String row, double seconds) {
        return List.of("| job | wall time, s |", "|---|---|", "| " + row + " | " + seconds + " |");
    }

    @Test
    void repetitionsAreOneRowAndRowsAreInOrderAndCompared() {
        List<String> lines = new ArrayList<>();
        lines.addAll(table("50 maps, 3 at once, heddle-heartbeat", 60));
        lines.addAll(table("20 stages of Spark, heddle-heartbeat", 30));
        lines.addAll(table("50 maps, 3 at once, heddle-immediate", 55));
        lines.addAll(table("20 stages of Spark, heddle-immediate", 28));
        lines.addAll(table("50 maps, 3 at once, heddle-heartbeat", 64));
        lines.addAll(table("50 maps, 3 at once, capacity-default", 66));
        lines.addAll(table("50 maps, 3 at once, fair-default", 68.75));
        List<Row> rows = JobWallTimesExperiment.rows(lines);
        assertThat(rows)
                .extracting(Row::name)
                .containsExactly(
                        "50 maps, 3 at once, heddle-immediate",
                        "50 maps, 3 at once, heddle-heartbeat",
                        "50 maps, 3 at once, fair-default",
                        "50 maps, 3 at once, capacity-default",
                        "20 stages of Spark, heddle-immediate",
                        "20 stages of Spark, heddle-heartbeat");
        assertThat(rows.get(1).figures()).containsEntry("wall time, s", new Spread(62, 60, 64, 2));
        assertThat(rows.get(0).median("x best of the others")).isEqualTo(55.0 / 66);
        assertThat(rows.get(3).median("x best of the others")).isEqualTo(1);
    }

    @Test
    void theSettingsOfEachSchedulerAreInTheDescription() {
        assertThat(new JobWallTimesExperiment().description().difference())
                .contains(
                        "heddle-immediate: ",
                        "heddle-heartbeat: ",
                        "fair-continuous: policy drf",
                        "capacity-default: ");
    }
}
