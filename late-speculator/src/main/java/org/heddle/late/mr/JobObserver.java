// SPDX-License-Identifier: Apache-2.0
package org.heddle.late.mr;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongUnaryOperator;
import org.apache.hadoop.mapreduce.Counters;
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
import org.heddle.late.policy.AttemptRecord;
import org.heddle.late.policy.AttemptRegistry;
import org.heddle.late.policy.PhaseModel;
import org.heddle.late.policy.TaskKind;
import org.heddle.late.policy.TaskRecord;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the {@link AttemptRegistry} equal to the ApplicationMaster's job: by events, and by reading the job where there
 * are no events. The speculator gets no event when an attempt fails or is killed, nor for tasks that are recovered
 * after a restart of the ApplicationMaster.
 *
 * <p>Not thread safe: guarded by the speculator's lock.
 */
final class JobObserver {
    // A request is dropped if its attempt has not appeared after this time.
    private static final long REQUEST_TIMEOUT_MILLIS = 10_000;
    private static final long RECOVERY_CHECK_MILLIS = 10_000;
    // This part of an input shows how large the input is.
    private static final double PART_THAT_SHOWS_SIZE = 0.05;

    /** An attempt that was live when it was last looked at. A pass needs no look-up by name for it. */
    private static final class Live {
        final AttemptRecord record;
        final TaskAttempt attempt;

        Live(AttemptRecord record, TaskAttempt attempt) {
            this.record = record;
            this.attempt = attempt;
        }
    }

    private final Job job;
    private final AttemptRegistry registry;
    private final List<Live> live = new ArrayList<>();
    private final Map<String, TaskId> tasks = new HashMap<>();
    private final Map<String, TaskAttemptId> attempts = new HashMap<>();
    private final Map<String, Long> requestedAt = new HashMap<>();
    private long recoveryCheckedAt = Long.MIN_VALUE / 2;

    JobObserver(Job job, AttemptRegistry registry) {
        this.job = job;
        this.registry = registry;
        boolean reduces = job.getTotalReduces() > 0;
        registry.phases(TaskKind.MAP, reduces ? PhaseModel.MAP_AND_SORT : PhaseModel.SINGLE);
        registry.total(TaskKind.MAP, job.getTotalMaps());
        registry.total(TaskKind.REDUCE, job.getTotalReduces());
    }

    static TaskKind kind(TaskId task) {
        return task.getTaskType() == TaskType.MAP ? TaskKind.MAP : TaskKind.REDUCE;
    }

    /** The attempt began to run; null if the ApplicationMaster does not know its node. */
    @Nullable
    AttemptRecord started(TaskAttemptId id, long at) {
        Task task = job.getTask(id.getTaskId());
        TaskAttempt attempt = attempt(id);
        if (task == null || attempt == null || attempt.getNodeId() == null) {
            return null;
        }
        String node = attempt.getNodeId().toString();
        TaskKind kind = kind(id.getTaskId());
        String taskName = name(id.getTaskId());
        TaskRecord known = registry.taskRecord(taskName);
        if (known != null && known.succeeded() && !task.isFinished()) {
            registry.reopened(kind, taskName);
        }
        String name = name(id);
        boolean isNew = registry.attempt(name) == null;
        AttemptRecord record = registry.started(kind, taskName, name, node, at);
        if (isNew) {
            live.add(new Live(record, attempt));
        }
        return record;
    }

    /**
     * An attempt reports whose start was not announced: it began when the ApplicationMaster says.
     *
     * @param clock the ApplicationMaster's clock
     */
    void startedUnannounced(TaskAttemptId id, long at, long clock) {
        if (registry.attempt(name(id)) == null) {
            TaskAttempt attempt = attempt(id);
            if (attempt != null && !attempt.isFinished() && attempt.getLaunchTime() > 0) {
                started(id, at - Math.max(0, clock - attempt.getLaunchTime()));
            }
        }
    }

    /** A report; the first one that shows the input size of a task of unknown size enters this size, too. */
    void reported(TaskAttemptStatus status, long at) {
        String name = name(status.id);
        AttemptRecord attempt = registry.attempt(name);
        if (attempt == null) {
            return;
        }
        registry.reported(name, status.progress, at);
        TaskRecord task = attempt.task();
        if (Double.isNaN(task.size()) && status.counters != null) {
            double size = size(attempt, status.counters);
            if (size > 0) {
                registry.size(task.kind(), task.id(), size);
            }
        }
    }

    /**
     * All records of a map's input, or all bytes that a reduce fetches, by those that it has so far; 0 if they are not
     * known.
     */
    private double size(AttemptRecord attempt, Counters counters) {
        if (attempt.task().kind() == TaskKind.MAP) {
            double part = attempt.complete() || attempt.phase() > 0 ? 1 : attempt.phaseFraction();
            return whole(counters, TaskCounter.MAP_INPUT_RECORDS, part);
        }
        double maps = counters.findCounter(TaskCounter.SHUFFLED_MAPS).getValue();
        return whole(counters, TaskCounter.REDUCE_SHUFFLE_BYTES, maps / Math.max(1, job.getTotalMaps()));
    }

    private static double whole(Counters counters, TaskCounter counter, double part) {
        return part < PART_THAT_SHOWS_SIZE ? 0 : counters.findCounter(counter).getValue() / part;
    }

    /** Enters the bytes per map, by index, of the maps {@code from} to {@code to - 1}. */
    void sizes(long[] bytes, int from, int to) {
        for (int i = from; i < to; i++) {
            TaskId id = MRBuilderUtils.newTaskId(job.getID(), i, TaskType.MAP);
            registry.size(TaskKind.MAP, name(id), (double) bytes[i]);
        }
    }

    /** The ApplicationMaster requested a container for an attempt of the task. */
    void containerRequested(TaskId task, long now) {
        registry.containerRequested(kind(task), name(task), now);
    }

    void requested(String task, long now) {
        TaskId id = task(task);
        registry.requested(kind(id), task, now);
        requestedAt.put(task, now);
    }

    /** A badly placed backup is moved: the ApplicationMaster requests another one when it has killed this one. */
    void moved(AttemptRecord backup, long now) {
        registry.moved(backup.id(), now);
        requestedAt.put(backup.task().id(), now);
    }

    /** Called at the first success of a task, while its other attempts still count as live. */
    @FunctionalInterface
    interface SuccessListener {
        void succeeded(AttemptRecord winner, long at);
    }

    /**
     * Whether the attempt has succeeded. The status that comes with the success still says RUNNING, because the task
     * sent it before.
     */
    boolean succeeded(TaskAttemptId id) {
        TaskAttempt attempt = attempt(id);
        return attempt != null && attempt.getState() == TaskAttemptState.SUCCEEDED;
    }

    /** Ends an attempt that succeeded; calls the listener if it is the first success of the task. */
    void succeed(AttemptRecord attempt, long at, SuccessListener listener) {
        if (attempt.live() && !attempt.task().succeeded()) {
            listener.succeeded(attempt, at);
        }
        registry.ended(attempt.id(), at, true);
    }

    /**
     * Reads what has changed without an event.
     *
     * @param time converts times of the ApplicationMaster's clock
     */
    void refresh(long now, LongUnaryOperator time, SuccessListener listener) {
        live.removeIf(each -> hasEnded(each, now, time, listener));
        withdrawLateRequests(now);
        boolean unknownSuccesses = job.getCompletedMaps() > registry.succeeded(TaskKind.MAP)
                || job.getCompletedReduces() > registry.succeeded(TaskKind.REDUCE);
        if (unknownSuccesses && now - recoveryCheckedAt >= RECOVERY_CHECK_MILLIS) {
            recoveryCheckedAt = now;
            recover(now, time);
        }
    }

    private boolean hasEnded(Live each, long now, LongUnaryOperator time, SuccessListener listener) {
        AttemptRecord record = each.record;
        if (!record.live()) {
            return true;
        }
        TaskAttempt attempt = each.attempt;
        // The other attempts of a task that has succeeded matter again if its output is lost and it runs anew.
        if (record.task().succeeded() || !attempt.isFinished()) {
            return false;
        }
        long finish = attempt.getFinishTime();
        long at = finish > 0 ? time.applyAsLong(finish) : now;
        if (attempt.getState() == TaskAttemptState.SUCCEEDED) {
            succeed(record, at, listener);
        } else {
            registry.ended(record.id(), at, false);
        }
        return true;
    }

    /** Withdraws the requests whose attempts have not appeared. */
    private void withdrawLateRequests(long now) {
        requestedAt.entrySet().removeIf(request -> {
            TaskRecord record = registry.taskRecord(request.getKey());
            if (record == null || record.requested() == 0) {
                return true;
            }
            Task task = job.getTask(task(record.id()));
            if (task != null && !record.live().isEmpty() && now - request.getValue() >= REQUEST_TIMEOUT_MILLIS) {
                long unfinished = task.getAttempts().values().stream()
                        .filter(a -> !a.isFinished())
                        .count();
                if (unfinished <= record.live().size()) {
                    registry.withdrawn(record.kind(), record.id());
                }
            }
            return false;
        });
    }

    /** Enters tasks that succeeded without an event, e.g. before a restart of the ApplicationMaster. */
    private void recover(long now, LongUnaryOperator time) {
        for (Task task : job.getTasks().values()) {
            TaskRecord known = registry.taskRecord(name(task.getID()));
            if (!task.isFinished() || (known != null && known.succeeded())) {
                continue;
            }
            for (TaskAttempt attempt : task.getAttempts().values()) {
                boolean usable = attempt.getState() == TaskAttemptState.SUCCEEDED
                        && attempt.getNodeId() != null
                        && attempt.getLaunchTime() > 0
                        && attempt.getFinishTime() >= attempt.getLaunchTime();
                if (usable) {
                    // Of long ago: only the duration counts, which is the same on any clock.
                    long end = Math.min(now, time.applyAsLong(attempt.getFinishTime()));
                    started(attempt.getID(), end - (attempt.getFinishTime() - attempt.getLaunchTime()));
                    registry.ended(name(attempt.getID()), end, true);
                }
            }
        }
    }

    private @Nullable TaskAttempt attempt(TaskAttemptId id) {
        Task task = job.getTask(id.getTaskId());
        return task == null ? null : task.getAttempt(id);
    }

    TaskId task(String name) {
        TaskId id = tasks.get(name);
        if (id == null) {
            throw new IllegalStateException("task " + name + " is not known");
        }
        return id;
    }

    TaskAttemptId attempt(String name) {
        TaskAttemptId id = attempts.get(name);
        if (id == null) {
            throw new IllegalStateException("attempt " + name + " is not known");
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

    /** Id of the job in the form of {@code org.apache.hadoop.mapreduce}. */
    org.apache.hadoop.mapreduce.JobID classicId() {
        return TypeConverter.fromYarn(job.getID());
    }
}
