// SPDX-License-Identifier: Apache-2.0
package org.heddle.late.mr;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.mapreduce.TaskCounter;
import org.apache.hadoop.mapreduce.TypeConverter;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptState;
import org.apache.hadoop.mapreduce.v2.api.records.TaskId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskType;
import org.apache.hadoop.mapreduce.v2.app.job.Job;
import org.apache.hadoop.mapreduce.v2.app.job.Task;
import org.apache.hadoop.mapreduce.v2.app.job.TaskAttempt;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskAttemptStatusUpdateEvent.TaskAttemptStatus;
import org.apache.hadoop.mapreduce.v2.util.MRBuilderUtils;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.heddle.late.policy.AttemptRecord;
import org.heddle.late.policy.AttemptRegistry;
import org.heddle.late.policy.PhaseModel;
import org.heddle.late.policy.TaskKind;
import org.heddle.late.policy.TaskRecord;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the {@link AttemptRegistry} true to the ApplicationMaster's job: from events where there are any, by looking where
 * there are none. Attempts that fail or are killed, and tasks recovered after a restart of the ApplicationMaster, send
 * the speculator nothing.
 *
 * <p>Not thread safe: guarded by the speculator's lock.
 */
final class JobObserver {
    // A request whose attempt never appeared is forgotten after this long.
    private static final long REQUEST_PATIENCE_MILLIS = 10_000;
    private static final long RECOVERY_CHECK_MILLIS = 10_000;

    private final Job job;
    private final AttemptRegistry book;
    private final Map<String, TaskId> tasks = new HashMap<>();
    private final Map<String, TaskAttemptId> attempts = new HashMap<>();
    private final Map<String, Long> requestedAt = new HashMap<>();
    private final Map<String, Boolean> nodes = new HashMap<>();
    private long recoveryCheckedAt = Long.MIN_VALUE / 2;

    JobObserver(Job job, AttemptRegistry book) {
        this.job = job;
        this.book = book;
        boolean reduces = job.getTotalReduces() > 0;
        book.phases(TaskKind.MAP, reduces ? PhaseModel.MAP_AND_SORT : PhaseModel.SINGLE);
        book.total(TaskKind.MAP, job.getTotalMaps());
        book.total(TaskKind.REDUCE, job.getTotalReduces());
    }

    static TaskKind kind(TaskId task) {
        return task.getTaskType() == TaskType.MAP ? TaskKind.MAP : TaskKind.REDUCE;
    }

    int nodesUsed() {
        return nodes.size();
    }

    /** The attempt began to run; null when the ApplicationMaster does not know where. */
    @Nullable
    AttemptRecord started(TaskAttemptId id, long at) {
        Task task = job.getTask(id.getTaskId());
        TaskAttempt attempt = task == null ? null : task.getAttempt(id);
        NodeId node = attempt == null ? null : attempt.getNodeId();
        if (task == null || node == null) {
            return null;
        }
        TaskKind kind = kind(id.getTaskId());
        String taskName = name(id.getTaskId());
        TaskRecord known = book.taskRecord(taskName);
        if (known != null && known.succeeded() && !task.isFinished()) {
            book.reopened(kind, taskName);
        }
        nodes.put(node.toString(), Boolean.TRUE);
        return book.started(kind, taskName, name(id), node.toString(), at);
    }

    /** A report; the first one with sizes of a reduce's input tells the book that, too. */
    void reported(TaskAttemptStatus status, long at) {
        String name = name(status.id);
        AttemptRecord attempt = book.attempt(name);
        if (attempt == null) {
            return;
        }
        book.reported(name, status.progress, at);
        TaskRecord task = attempt.task();
        if (task.kind() == TaskKind.REDUCE && attempt.phase() > 0 && Double.isNaN(task.size())) {
            long bytes = status.counters == null
                    ? 0
                    : status.counters
                            .findCounter(TaskCounter.REDUCE_SHUFFLE_BYTES)
                            .getValue();
            if (bytes > 0) {
                book.size(TaskKind.REDUCE, task.id(), (double) bytes);
            }
        }
    }

    /** Bytes per map, by index. */
    void sizes(long[] bytes) {
        for (int i = 0; i < bytes.length; i++) {
            TaskId id = MRBuilderUtils.newTaskId(job.getID(), i, TaskType.MAP);
            book.size(TaskKind.MAP, name(id), (double) bytes[i]);
        }
    }

    /** A container was asked for, for an attempt of the task. */
    void asked(TaskId task, long now) {
        book.asked(kind(task), name(task), now);
    }

    void requested(String task, long now, double cost) {
        TaskId id = task(task);
        book.requested(kind(id), task, cost, now);
        requestedAt.put(task, now);
    }

    /** Told of a task's first success, while the attempts it beat still count as live. */
    @FunctionalInterface
    interface Wins {
        void won(AttemptRecord winner, long at);
    }

    /**
     * Whether the attempt has succeeded. A status that comes with the success still says RUNNING: it is the last one
     * the task sent.
     */
    boolean succeeded(TaskAttemptId id) {
        Task task = job.getTask(id.getTaskId());
        TaskAttempt attempt = task == null ? null : task.getAttempt(id);
        return attempt != null && attempt.getState() == TaskAttemptState.SUCCEEDED;
    }

    /** Ends an attempt that succeeded; tells of it if it is its task's first. */
    void succeed(AttemptRecord attempt, long at, Wins wins) {
        if (attempt.live() && !attempt.task().succeeded()) {
            wins.won(attempt, at);
        }
        book.ended(attempt.id(), at, true);
    }

    /** Takes over what happened without an event. */
    void look(long now, Wins wins) {
        for (TaskKind kind : TaskKind.values()) {
            for (TaskRecord record : new ArrayList<>(book.running(kind))) {
                Task task = job.getTask(task(record.id()));
                if (task != null) {
                    look(task, record, now, wins);
                }
            }
        }
        boolean unknownSuccesses = job.getCompletedMaps() > book.succeeded(TaskKind.MAP)
                || job.getCompletedReduces() > book.succeeded(TaskKind.REDUCE);
        if (unknownSuccesses && now - recoveryCheckedAt >= RECOVERY_CHECK_MILLIS) {
            recoveryCheckedAt = now;
            recover();
        }
    }

    private void look(Task task, TaskRecord record, long now, Wins wins) {
        for (AttemptRecord live : List.copyOf(record.live())) {
            TaskAttempt attempt = task.getAttempt(attempt(live.id()));
            if (attempt != null && attempt.isFinished()) {
                long finish = attempt.getFinishTime();
                long at = finish > 0 ? finish : now;
                if (attempt.getState() == TaskAttemptState.SUCCEEDED) {
                    succeed(live, at, wins);
                } else {
                    book.ended(live.id(), at, false);
                }
            }
        }
        long asked = requestedAt.getOrDefault(record.id(), now);
        if (record.requested() > 0 && now - asked >= REQUEST_PATIENCE_MILLIS) {
            long unfinished = task.getAttempts().values().stream()
                    .filter(a -> !a.isFinished())
                    .count();
            if (unfinished <= record.live().size()) {
                book.withdrawn(record.kind(), record.id());
            }
        }
    }

    /** Enters tasks that succeeded unseen, e.g. before the ApplicationMaster was restarted. */
    private void recover() {
        for (Task task : job.getTasks().values()) {
            TaskRecord known = book.taskRecord(name(task.getID()));
            if (!task.isFinished() || (known != null && known.succeeded())) {
                continue;
            }
            for (TaskAttempt attempt : task.getAttempts().values()) {
                boolean usable = attempt.getState() == TaskAttemptState.SUCCEEDED
                        && attempt.getNodeId() != null
                        && attempt.getLaunchTime() > 0
                        && attempt.getFinishTime() >= attempt.getLaunchTime();
                if (usable) {
                    started(attempt.getID(), attempt.getLaunchTime());
                    book.ended(name(attempt.getID()), attempt.getFinishTime(), true);
                }
            }
        }
    }

    TaskId task(String name) {
        TaskId id = tasks.get(name);
        if (id == null) {
            throw new IllegalStateException("task " + name + " was never announced");
        }
        return id;
    }

    TaskAttemptId attempt(String name) {
        TaskAttemptId id = attempts.get(name);
        if (id == null) {
            throw new IllegalStateException("attempt " + name + " was never announced");
        }
        return id;
    }

    String name(TaskAttemptId id) {
        String name = id.toString();
        attempts.putIfAbsent(name, id);
        name(id.getTaskId());
        return name;
    }

    String name(TaskId id) {
        String name = id.toString();
        tasks.putIfAbsent(name, id);
        return name;
    }

    /** The newest attempt of a task that waits for a container; null when there is none. */
    @Nullable
    TaskAttemptId newest(TaskId id) {
        Task task = job.getTask(id);
        if (task == null) {
            return null;
        }
        return task.getAttempts().keySet().stream()
                .max((a, b) -> Integer.compare(a.getId(), b.getId()))
                .orElse(null);
    }

    /** Hadoop's classic id of the job. */
    org.apache.hadoop.mapreduce.JobID classicId() {
        return TypeConverter.fromYarn(job.getID());
    }
}
