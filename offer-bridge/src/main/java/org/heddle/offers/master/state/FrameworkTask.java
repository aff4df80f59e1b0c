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

    /** Does the task run under a program of the framework, and not as a command or under the default executor? */
    public static boolean hasOwnExecutor(TaskInfo task) {
        return task.hasExecutor() && task.getExecutor().getType() != ExecutorInfo.Type.DEFAULT;
    }

    /** Does the task say that it ends within that time? Agents enforce it for commands, but not for executors. */
    public static boolean endsWithin(TaskInfo task, long millis) {
        return task.hasCommand()
                && !hasOwnExecutor(task)
                && task.hasMaxCompletionTime()
                && task.getMaxCompletionTime().getNanoseconds() / 1_000_000 <= millis;
    }

    public String id() {
        return id;
    }

    /** The name that its agent knows it by. */
    public String key() {
        return "t/" + id;
    }

    /** Its directory in the container's sandbox. */
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

    /** The container whose resources it uses. */
    public AgentContainer container() {
        return container;
    }

    /** The name of its executor; a command task has its own name, as in Mesos. */
    public String executorId() {
        return executorId;
    }

    /** Its executor is a program of the framework. */
    public boolean isCustom() {
        return custom;
    }

    /** The task group which it was launched with; empty if it was launched alone. */
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

    /** The last status, sent or not. */
    public @Nullable TaskStatus latest() {
        return latest;
    }

    /** Takes a new status, which stays pending until the framework acknowledges it. */
    public void update(PendingUpdate update) {
        state = update.status().getState();
        latest = update.status();
        pending.addLast(update);
    }

    /** As {@link #update}, from the journal. */
    void restore(TaskState was, @Nullable TaskStatus status) {
        state = was;
        latest = status;
    }

    /** Updates which the framework has not acknowledged, oldest first; the first one has been sent. */
    public Deque<PendingUpdate> pending() {
        return pending;
    }

    /** The agent need not repeat its events up to this number. */
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

    /** When the first pending update was last sent. */
    public long sentAt() {
        return sentAt;
    }

    public void setSentAt(long millis) {
        this.sentAt = millis;
    }

    /** The container whose agent reports about it: that of its executor, which may be another one of the node. */
    public AgentContainer reporter() {
        return reporter;
    }

    public void setReporter(AgentContainer reporter) {
        this.reporter = reporter;
    }

    /** Names of updates which the framework has acknowledged: executors may repeat them. */
    public Set<ByteString> acknowledged() {
        return acknowledged;
    }
}
