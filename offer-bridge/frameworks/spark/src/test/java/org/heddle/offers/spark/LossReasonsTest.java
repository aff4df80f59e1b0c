// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.spark;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.mesos.v1.Protos.TaskID;
import org.apache.mesos.v1.Protos.TaskState;
import org.apache.mesos.v1.Protos.TaskStatus;
import org.apache.mesos.v1.Protos.TaskStatus.Reason;
import org.apache.spark.scheduler.ExecutorProcessLost;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LossReasonsTest {
    @ParameterizedTest
    @CsvSource({
        "TASK_FAILED, REASON_COMMAND_EXECUTOR_FAILED, true, false",
        "TASK_FAILED, REASON_CONTAINER_LIMITATION_MEMORY, true, false",
        "TASK_ERROR, REASON_TASK_INVALID, true, false",
        "TASK_LOST, REASON_CONTAINER_PREEMPTED, false, false",
        "TASK_LOST, REASON_AGENT_REMOVED, false, true",
        "TASK_LOST, REASON_INVALID_OFFERS, false, false",
        "TASK_KILLED, REASON_EXECUTOR_TERMINATED, false, false",
    })
    void onlyWhatTheApplicationCausedCountsAgainstIt(
            TaskState state, Reason reason, boolean causedByApp, boolean hostLost) {
        TaskStatus status = TaskStatus.newBuilder()
                .setTaskId(TaskID.newBuilder().setValue("executor-1"))
                .setState(state)
                .setReason(reason)
                .setMessage("why")
                .build();
        ExecutorProcessLost lost = (ExecutorProcessLost) LossReasons.of(status, "node1");
        assertThat(LossReasons.isEnd(status)).isTrue();
        assertThat(lost.causedByApp()).isEqualTo(causedByApp);
        assertThat(lost.workerHost().isDefined()).isEqualTo(hostLost);
        assertThat(lost.message()).contains(state + " " + reason + " (why) on node1");
    }
}
