// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.jobs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class MapReduceTimesTest {
    @Test
    void attemptsAreReadFromTheLogOfTheMaster() {
        String log = """
                2026-11-26 16:00:01,000 INFO [AsyncDispatcher event handler] org.apache.hadoop.mapreduce.v2.app.job.impl.TaskAttemptImpl: attempt_1_0002_m_000000_0 TaskAttempt Transitioned from NEW to UNASSIGNED on event of type TA_SCHEDULE
                2026-11-26 16:00:01,000 INFO [AsyncDispatcher event handler] org.apache.hadoop.mapreduce.v2.app.job.impl.TaskAttemptImpl: attempt_1_0002_m_000001_0 TaskAttempt Transitioned from NEW to UNASSIGNED on event of type TA_SCHEDULE
                2026-11-26 16:00:02,250 INFO [AsyncDispatcher event handler] org.apache.hadoop.mapreduce.v2.app.job.impl.TaskAttemptImpl: attempt_1_0002_m_000000_0 TaskAttempt Transitioned from UNASSIGNED to ASSIGNED on event of type TA_ASSIGNED
                2026-11-26 16:00:02,300 INFO [AsyncDispatcher event handler] org.apache.hadoop.mapreduce.v2.app.job.impl.TaskAttemptImpl: attempt_1_0002_m_000000_0 TaskAttempt Transitioned from ASSIGNED to RUNNING on event of type TA_CONTAINER_LAUNCHED
                2026-11-26 16:00:04,100 INFO [IPC Server handler 0 on 12345] org.apache.hadoop.mapred.TaskAttemptListenerImpl: JVM with ID : jvm_1_0002_m_000002 asked for a task
                2026-11-26 16:00:04,101 INFO [IPC Server handler 0 on 12345] org.apache.hadoop.mapred.TaskAttemptListenerImpl: JVM with ID: jvm_1_0002_m_000002 given task: attempt_1_0002_m_000000_0
                a line of a stack trace
                2026-11-26 16:00:06,500 INFO [AsyncDispatcher event handler] org.apache.hadoop.mapreduce.v2.app.job.impl.TaskAttemptImpl: attempt_1_0002_m_000000_0 TaskAttempt Transitioned from RUNNING to SUCCESS_FINISHING_CONTAINER on event of type TA_DONE
                """;
        long hour = 1_795_708_800_000L; // 2026-11-26 16:00:00 UTC
        assertThat(MasterLog.attempts(log.lines().toList(), ZoneOffset.UTC))
                .as("the other attempt has not ended")
                .containsExactly(new MasterLog.Attempt(hour + 1_000, hour + 2_250, hour + 4_101, hour + 6_500));
    }

    @Test
    void theFirstWaveWaitsFromItsRequestAndOthersFromTheEndOfAnEarlierMap() {
        Submission submission = new Submission(0, 500, 1_700, 20_000);
        List<MasterLog.Attempt> maps = List.of(
                new MasterLog.Attempt(4_000, 12_000, 13_000, 15_500), // after the end at 10,500
                new MasterLog.Attempt(4_000, 5_000, 7_000, 9_500),
                new MasterLog.Attempt(4_000, 10_000, 11_000, 13_000), // after the end at 9,500
                new MasterLog.Attempt(4_000, 5_200, 8_000, 10_500));
        Map<String, Double> figures = MapReduceTimes.figures(submission, maps, 2);
        assertThat(figures)
                .containsEntry("wall time, s", 20.0)
                .containsEntry("submission, s", 0.5)
                .containsEntry("master's container, s", 1.2)
                .containsEntry("master's start, s", 2.3)
                .containsEntry("request to container, s", 1.1)
                .containsEntry("end to next container, s", 1.0)
                .containsEntry("container to JVM, s", 1.5)
                .containsEntry("task, s", 2.5)
                .containsEntry("all maps, s", 11.5)
                .containsEntry("last task to end, s", 4.5);
        assertThat(MapReduceTimes.figures(submission, maps, 4))
                .as("all at once")
                .doesNotContainKey("end to next container, s")
                .containsEntry("request to container, s", 3.6);
    }

    @Test
    void aLogWithoutMapsIsRefused() {
        assertThatThrownBy(() -> MapReduceTimes.figures(new Submission(0, 0, 0, 0), List.of(), 2))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("no map that ended well");
    }
}
