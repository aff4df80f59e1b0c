// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.master;

import com.google.protobuf.ByteString;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.UUID;
import org.apache.mesos.v1.Protos.AgentID;
import org.apache.mesos.v1.Protos.ExecutorID;
import org.apache.mesos.v1.Protos.FrameworkInfo;
import org.apache.mesos.v1.Protos.TaskID;
import org.apache.mesos.v1.Protos.TaskState;
import org.apache.mesos.v1.Protos.TaskStatus;

/** Task states and statuses, as the v1 API has them. */
final class TaskStatuses {
    private TaskStatuses() {}

    static boolean isTerminal(TaskState state) {
        return switch (state) {
            case TASK_FINISHED,
                    TASK_FAILED,
                    TASK_KILLED,
                    TASK_ERROR,
                    TASK_LOST,
                    TASK_DROPPED,
                    TASK_GONE,
                    TASK_GONE_BY_OPERATOR -> true;
            case TASK_STAGING, TASK_STARTING, TASK_RUNNING, TASK_KILLING, TASK_UNREACHABLE, TASK_UNKNOWN -> false;
        };
    }

    /** The new state if the framework knows it, else the one that it was before Mesos 1.1. */
    static TaskState orLost(ClusterState.Framework framework, TaskState state) {
        return framework.has(FrameworkInfo.Capability.Type.PARTITION_AWARE) ? state : TaskState.TASK_LOST;
    }

    static TaskStatus.Builder of(
            TaskID task,
            TaskState state,
            TaskStatus.Source source,
            TaskStatus.Reason reason,
            String message,
            long now) {
        TaskStatus.Builder status = TaskStatus.newBuilder()
                .setTaskId(task)
                .setState(state)
                .setSource(source)
                .setReason(reason)
                .setTimestamp(now / 1000.0);
        if (!message.isEmpty()) {
            status.setMessage(message);
        }
        return status;
    }

    /** A status of a task, with agent and executor filled in. */
    static TaskStatus.Builder of(ClusterState.Task task, TaskState state, TaskStatus.Source source, long now) {
        return TaskStatus.newBuilder()
                .setTaskId(task.info.getTaskId())
                .setState(state)
                .setSource(source)
                .setAgentId(AgentID.newBuilder().setValue(task.host.agentId))
                .setExecutorId(ExecutorID.newBuilder().setValue(task.executorId))
                .setTimestamp(now / 1000.0);
    }

    /** The same event of an agent gets the same name however often it is told. */
    static ByteString uuid(String containerId, String what) {
        UUID uuid = UUID.nameUUIDFromBytes((containerId + '/' + what).getBytes(StandardCharsets.UTF_8));
        return ByteString.copyFrom(ByteBuffer.allocate(16)
                .putLong(uuid.getMostSignificantBits())
                .putLong(uuid.getLeastSignificantBits())
                .flip());
    }
}
