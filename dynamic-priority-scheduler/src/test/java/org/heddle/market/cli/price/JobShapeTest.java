// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.cli.price;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.List;
import org.heddle.market.agent.rest.JobHistory;
import org.heddle.market.cli.client.TimeText;
import org.heddle.market.quote.Stage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Times and history files as users give them. */
class JobShapeTest {
    private static final ZonedDateTime NOON = ZonedDateTime.of(2026, 11, 23, 12, 0, 0, 0, ZoneOffset.UTC);

    @TempDir
    Path directory;

    private static String time(String text) {
        return Instant.ofEpochMilli(TimeText.millis(text, NOON)).toString();
    }

    @Test
    void times() {
        assertThat(time("18:00")).isEqualTo("2026-11-23T18:00:00Z");
        assertThat(time("9:30")).isEqualTo("2026-11-24T09:30:00Z");
        assertThat(time("90m")).isEqualTo("2026-11-23T13:30:00Z");
        assertThat(time("2026-12-01T08:00")).isEqualTo("2026-12-01T08:00:00Z");
        assertThat(time("2026-12-01T08:00:00+01:00")).isEqualTo("2026-12-01T07:00:00Z");
        assertThatThrownBy(() -> time("25:00")).hasMessageContaining("is not a time");
    }

    @Test
    void earlierRunsGiveTheWorkAndItsSpread() {
        Stage stage = JobShapeOptions.stage(List.of(900_000.0, 1_000_000.0, 1_100_000.0), 7.5);
        assertThat(stage.work()).isEqualTo(1_000_000);
        assertThat(stage.spread()).isEqualTo(0.1);
        assertThat(stage.tasks()).isEqualTo(33);
        assertThat(JobShapeOptions.stage(List.of(900_000.0), 7.5).spread()).isEqualTo(0.2);
    }

    @Test
    void earlierRunsAreFoundByNameOrTag() throws Exception {
        JsonNode app = new ObjectMapper().readTree("{\"name\":\"QuasiMonteCarlo\",\"applicationTags\":\"a,nightly\"}");
        assertThat(JobShapeOptions.isCalled(app, "QuasiMonteCarlo")).isTrue();
        assertThat(JobShapeOptions.isCalled(app, "Nightly")).isTrue();
        assertThat(JobShapeOptions.isCalled(app, "night")).isFalse();
        assertThat(JobShapeOptions.isCalled(new ObjectMapper().readTree("{\"name\":\"x\"}"), "a"))
                .isFalse();
    }

    @Test
    void earlierTasksGiveTheirNumberLengthAndSpread() {
        List<JobHistory.Tasks> runs = List.of(
                new JobHistory.Tasks(100, 9_000), new JobHistory.Tasks(100, 10_000), new JobHistory.Tasks(100, 11_000));
        Stage stage = JobShapeOptions.ofTasks(runs, 0.5).orElseThrow();
        assertThat(stage).isEqualTo(new Stage(100, 10_000, 0.1, 0.5));
        assertThat(JobShapeOptions.ofTasks(List.of(new JobHistory.Tasks(0, 0)), 1))
                .as("a job without reduces")
                .isEmpty();
    }

    @Test
    void aHistoryFileGivesMapsAndReduces() throws Exception {
        Path file = Files.writeString(
                directory.resolve("job.jhist"),
                "Avro-Json\n{\"type\":\"record\"}\n" + started("MAP", "m_0", 1_000)
                        + finished("MAP", "MapAttemptFinished", "m_0", 4_000)
                        + started("MAP", "m_1", 1_000) + finished("MAP", "MapAttemptFinished", "m_1", 6_000)
                        + started("REDUCE", "r_0", 6_000)
                        + finished("REDUCE", "ReduceAttemptFinished", "r_0", 16_000));
        assertThat(JobShapeOptions.history(file, 0.5))
                .containsExactly(new Stage(2, 4_000, 0.2, 0.5), new Stage(1, 10_000, 0.2, 0.5));
        Files.writeString(file, "nothing\n");
        assertThatThrownBy(() -> JobShapeOptions.history(file, 1)).hasMessageContaining("has no finished task");
    }

    private static String started(String kind, String attempt, long at) {
        return "{\"type\":\"" + kind + "_ATTEMPT_STARTED\",\"event\":{\"org.apache.hadoop.mapreduce.jobhistory."
                + "TaskAttemptStarted\":{\"attemptId\":\"" + attempt + "\",\"startTime\":" + at + "}}}\n";
    }

    private static String finished(String kind, String event, String attempt, long at) {
        return "{\"type\":\"" + kind + "_ATTEMPT_FINISHED\",\"event\":{\"org.apache.hadoop.mapreduce.jobhistory."
                + event + "\":{\"attemptId\":\"" + attempt + "\",\"finishTime\":" + at + "}}}\n";
    }
}
