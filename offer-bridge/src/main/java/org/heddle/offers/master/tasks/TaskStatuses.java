// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.master.tasks;

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
import org.heddle.offers.master.state.Framework;
import org.heddle.offers.master.state.FrameworkTask;

/** Builds task statuses, as the v1 API has them. */
final class TaskStatuses {
    private TaskStatuses() {}

    /** This state if the framework supports it; otherwise the state that Mesos before 1.1 used for it. */
    static TaskState orLost(Framework framework, TaskState state) {
        return framework.has(FrameworkInfo.Capability.Type.PARTITION_AWARE) ? state : TaskState.TASK_LOST;
    }

    static TaskStatus.Builder of(
            TaskID task,
            TaskState state,
            TaskStatus.Source source,
            TaskStatus.Reason reason,
            String message,
            long date) {
        TaskStatus.Builder status = TaskStatus.newBuilder()
                .setTaskId(task)
                .setState(state)
                .setSource(source)
                .setReason(reason)
                .setTimestamp(date / 1000.0);
        if (!message.isEmpty()) {
            status.setMessage(message);
        }
        return status;
    }

    /** A task's status with its agent and executor. */
    static TaskStatus.Builder of(FrameworkTask task, TaskState state, TaskStatus.Source source, long date) {
        return TaskStatus.newBuilder()
                .setTaskId(task.info().getTaskId())
                .setState(state)
                .setSource(source)
                .setAgentId(AgentID.newBuilder().setValue(task.container().agentId()))
                .setExecutorId(ExecutorID.newBuilder().setValue(task.executorId()))
                .setTimestamp(date / 1000.0);
    }

    /** Name of an update. Each report of the same event of an agent has the same name. */
    static ByteString uuid(String containerId, String what) {
        UUID uuid = UUID.nameUUIDFromBytes((containerId + '/' + what).getBytes(StandardCharsets.UTF_8));
        return ByteString.copyFrom(ByteBuffer.allocate(16)
                .putLong(uuid.getMostSignificantBits())
                .putLong(uuid.getLeastSignificantBits())
                .flip());
    }
}
