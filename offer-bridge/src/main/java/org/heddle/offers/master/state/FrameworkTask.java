// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.master.state;

import com.google.protobuf.ByteString;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Set;
import org.apache.mesos.v1.Protos.ExecutorInfo;
import org.apache.mesos.v1.Protos.TaskInfo;
import org.apache.mesos.v1.Protos.TaskState;
import org.apache.mesos.v1.Protos.TaskStatus;
import org.heddle.offers.model.Resources;
import org.jspecify.annotations.Nullable;

/** A task of a framework, from its launch until the framework has acknowledged its last update. */
public final class FrameworkTask {
    private final String id;
    private final TaskInfo info;
    private final Framework framework;
    private final Resources resources;
    private final AgentContainer container;
    private final String executorId;
    private final boolean custom;
    private final String group;
    private TaskState state = TaskState.TASK_STAGING;
    private @Nullable TaskStatus latest;
    private final Deque<PendingUpdate> pending = new ArrayDeque<>();
    private long settled;
    private boolean killed;
    private long sentAt;
    private String output = "";
    private AgentContainer reporter;
    private final Set<ByteString> acknowledged = new HashSet<>();

    public FrameworkTask(
            TaskInfo info, Framework framework, AgentContainer container, Resources resources, String group) {
        this.id = info.getTaskId().getValue();
        this.info = info;
        this.framework = framework;
        this.container = container;
        this.reporter = container;
        this.resources = resources;
        this.group = group;
        this.custom = hasOwnExecutor(info);
        this.executorId =
                info.hasExecutor() ? info.getExecutor().getExecutorId().getValue() : id;
    }

    /**
     * Whether a program of the framework runs the task; otherwise the task is a command or runs under the default
     * executor.
     */
    public static boolean hasOwnExecutor(TaskInfo task) {
        return task.hasExecutor() && task.getExecutor().getType() != ExecutorInfo.Type.DEFAULT;
    }

    /**
     * Whether the task declares a {@code max_completion_time} of at most this time. Agents enforce it for commands,
     * but not for executors.
     */
    public static boolean endsWithin(TaskInfo task, long millis) {
        return task.hasCommand()
                && !hasOwnExecutor(task)
                && task.hasMaxCompletionTime()
                && task.getMaxCompletionTime().getNanoseconds() / 1_000_000 <= millis;
    }

    public String id() {
        return id;
    }

    /** Name of the task in messages with its agent. */
    public String key() {
        return "t/" + id;
    }

    /** Directory of the task in the container's sandbox. */
    public String sandbox() {
        return custom ? "executors/" + executorId : "tasks/" + id;
    }

    public TaskInfo info() {
        return info;
    }

    public Framework framework() {
        return framework;
    }

    public Resources resources() {
        return resources;
    }

    /** The container whose resources the task uses. */
    public AgentContainer container() {
        return container;
    }

    /** Name of its executor. As in Mesos, the executor of a command task has the name of the task. */
    public String executorId() {
        return executorId;
    }

    /** Whether its executor is a program of the framework. */
    public boolean isCustom() {
        return custom;
    }

    /** Name of the task group with which it was launched; empty if it was launched alone. */
    public String group() {
        return group;
    }

    public TaskState state() {
        return state;
    }

    public boolean ended() {
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

    /** The newest status; it may not have been sent yet. */
    public @Nullable TaskStatus latest() {
        return latest;
    }

    /** Adds a new status, which stays pending until the framework acknowledges it. */
    public void update(PendingUpdate update) {
        state = update.status().getState();
        latest = update.status();
        pending.addLast(update);
    }

    /** Adds a pending status from the journal. */
    void restore(TaskState was, @Nullable TaskStatus status) {
        state = was;
        latest = status;
    }

    /** Updates that the framework has not acknowledged, oldest first. Only the first one has been sent. */
    public Deque<PendingUpdate> pending() {
        return pending;
    }

    /** Number of the last event that the agent need not send again. */
    public long settled() {
        return settled;
    }

    public void setSettled(long seq) {
        this.settled = seq;
    }

    public boolean isKilled() {
        return killed;
    }

    public void setKilled(boolean killed) {
        this.killed = killed;
    }

    /** Time at which the first pending update was last sent, in ms. */
    public long sentAt() {
        return sentAt;
    }

    public void setSentAt(long millis) {
        this.sentAt = millis;
    }

    /** The end of what its command has written, once it has ended. */
    public String output() {
        return output;
    }

    public void setOutput(String end) {
        this.output = end;
    }

    /**
     * The container whose agent reports on the task: the one of its executor, which may be another container of the
     * same node.
     */
    public AgentContainer reporter() {
        return reporter;
    }

    public void setReporter(AgentContainer reporter) {
        this.reporter = reporter;
    }

    /** Names of the updates that the framework has acknowledged. Executors may send these again. */
    public Set<ByteString> acknowledged() {
        return acknowledged;
    }
}
