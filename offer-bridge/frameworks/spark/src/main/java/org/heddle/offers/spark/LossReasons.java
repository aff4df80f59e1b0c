// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.spark;

import java.util.EnumSet;
import java.util.Set;
import org.apache.mesos.v1.Protos.TaskState;
import org.apache.mesos.v1.Protos.TaskStatus;
import org.apache.mesos.v1.Protos.TaskStatus.Reason;
import org.apache.spark.scheduler.ExecutorLossReason;
import org.apache.spark.scheduler.ExecutorProcessLost;
import scala.Option;

/**
 * What the end of a task means to Spark. Losses that the cluster causes (preemption, a lost node, a lost launch) do not
 * count as failures of tasks or executors.
 */
final class LossReasons {
    private static final Set<TaskState> ENDS = EnumSet.of(
            TaskState.TASK_FINISHED,
            TaskState.TASK_FAILED,
            TaskState.TASK_KILLED,
            TaskState.TASK_ERROR,
            TaskState.TASK_LOST,
            TaskState.TASK_DROPPED,
            TaskState.TASK_GONE,
            TaskState.TASK_GONE_BY_OPERATOR,
            TaskState.TASK_UNKNOWN);

    private LossReasons() {}

    static boolean isEnd(TaskStatus status) {
        return ENDS.contains(status.getState());
    }

    static boolean isFailure(TaskStatus status) {
        return status.getState() == TaskState.TASK_FAILED || status.getState() == TaskState.TASK_ERROR;
    }

    static ExecutorLossReason of(TaskStatus status, String host) {
        boolean hostLost = status.getReason() == Reason.REASON_AGENT_REMOVED;
        return new ExecutorProcessLost(
                text(status) + " on " + host, Option.apply(hostLost ? host : null), isFailure(status));
    }

    static String text(TaskStatus status) {
        StringBuilder text = new StringBuilder(status.getState().toString());
        if (status.hasReason()) {
            text.append(' ').append(status.getReason());
        }
        if (!status.getMessage().isEmpty()) {
            text.append(" (").append(status.getMessage()).append(')');
        }
        return text.toString();
    }
}
