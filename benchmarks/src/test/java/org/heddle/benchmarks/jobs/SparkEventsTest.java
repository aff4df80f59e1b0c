// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

class SparkEventsTest {
    @Test
    void stagesAndExecutorsAreReadFromTheEventLog() throws IOException {
        SparkEvents events = SparkEvents.of(
                List.of(
                        "{\"Event\":\"SparkListenerLogStart\",\"Spark Version\":\"3.5.5\"}",
                        "{\"Event\":\"SparkListenerStageSubmitted\",\"Stage Info\":{\"Stage ID\":0,\"Submission Time\":5000}}",
                        "{\"Event\":\"SparkListenerExecutorAdded\",\"Timestamp\":8000,\"Executor ID\":\"1\"}",
                        "{\"Event\":\"SparkListenerExecutorAdded\",\"Timestamp\":9500,\"Executor ID\":\"2\"}",
                        "{\"Event\":\"SparkListenerStageCompleted\",\"Stage Info\":{\"Stage ID\":0,\"Submission Time\":5000,\"Completion Time\":9000}}",
                        "{\"Event\":\"SparkListenerStageCompleted\",\"Stage Info\":{\"Stage ID\":1,\"Submission Time\":9100,\"Completion Time\":12000}}"));
        assertThat(events).isEqualTo(new SparkEvents(2, 5_000, 12_000, 2, 8_000, 9_500));
        assertThat(events.figures(new Submission(0, 1_000, 2_500, 13_000)))
                .containsEntry("wall time, s", 13.0)
                .containsEntry("master's start, s", 2.5)
                .containsEntry("to the first executor, s", 3.0)
                .containsEntry("to the last executor, s", 4.5)
                .containsEntry("all stages, s", 7.0)
                .containsEntry("last task to end, s", 1.0);
    }
}
