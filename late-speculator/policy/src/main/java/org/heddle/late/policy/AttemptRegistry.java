// SPDX-License-Identifier: Apache-2.0
package org.heddle.late.policy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.heddle.late.policy.statistics.RateNoise;
import org.heddle.late.policy.statistics.Sample;
import org.jspecify.annotations.Nullable;

/**
 * The tasks, attempts and nodes of a job. All indices change in this class, so that they agree. Not thread safe: the
 * caller holds a lock.
 *
 * <p>Life of an attempt: {@link #started} -> {@link #reported}* -> {@link #ended}. An attempt that starts while another
 * one of its task is live is a backup, also when another speculator requested it.
 */
public final class AttemptRegistry {

    /** The state of the tasks of one kind. */
    static final class KindIndex {
        final Map<String, TaskRecord> running = new LinkedHashMap<>();
        final List<AttemptRecord> finished = new ArrayList<>();
        final FinishedRuns finishedRuns = new FinishedRuns();
        final RateNoise noise = new RateNoise();
        PhaseModel phases = PhaseModel.SINGLE;
        int total;
        int succeeded;
        int waiting;
        int liveAttempts;
        int peakAttempts;
        int slots;
        int backups;
        int requested;
        int unknownNodesUsed;
        // How often room was made for a backup since one has started, and when last.
        int roomMade;
        long roomMadeAt = Long.MIN_VALUE / 2;
        // From a report of 1.0 to the end of the attempt, at most.
        long longestFinish;
        double medianSize = Double.NaN;
    }

    // Two heartbeats of the ApplicationMaster, one of a node, and the start of a JVM.
    private static final long PROMPT_MILLIS = 6_000;
    // A median below this part of the mean is that of empty inputs.
    private static final double LEAST_MEDIAN = 0.05;

    private final EnumMap<TaskKind, KindIndex> kinds = new EnumMap<>(TaskKind.class);
    private final Map<String, TaskRecord> tasks = new HashMap<>();
    private final Map<String, AttemptRecord> attempts = new HashMap<>();
    private final Map<String, NodeRecord> nodes = new HashMap<>();
    private long mapsDoneAt = -1;
    private long version;

    public AttemptRegistry() {
        for (TaskKind kind : TaskKind.values()) {
            kinds.put(kind, new KindIndex());
        }
        of(TaskKind.REDUCE).phases = PhaseModel.THIRDS;
    }

    /** Sets how scores of this kind divide into phases. Call it before the first attempt of the kind starts. */
    public void phases(TaskKind kind, PhaseModel phases) {
        version++;
        of(kind).phases = phases;
    }

    /** Number of tasks of the kind in the job. */
    public void total(TaskKind kind, int tasksOfKind) {
        version++;
        of(kind).total = tasksOfKind;
    }

    /** Sets the slots which the kind may use. If the caller does not know them, the peak of live attempts counts. */
    public void slots(TaskKind kind, int slots) {
        version++;
        of(kind).slots = slots;
    }

    /** Input size of a task in any unit common to its kind. Negative or NaN means unknown. */
    public void size(TaskKind kind, String task, double size) {
        version++;
        task(kind, task).size = size >= 0 ? size : Double.NaN;
        of(kind).medianSize = Double.NaN;
        of(kind).finishedRuns.sizesChanged();
    }

    /** Changes the number of attempts of the kind that wait for a container. */
    public void waiting(TaskKind kind, int change) {
        version++;
        KindIndex registry = of(kind);
        registry.waiting = Math.max(0, registry.waiting + change);
    }

    /**
     * An attempt began to run.
     *
     * @return its record; the existing one if the attempt is known already
     */
    public AttemptRecord started(TaskKind kind, String taskId, String attemptId, String node, long at) {
        version++;
        AttemptRecord known = attempts.get(attemptId);
        if (known != null) {
            return known;
        }
        TaskRecord task = task(kind, taskId);
        KindIndex registry = of(kind);
        int backupsBefore = task.backups();
        NodeRecord on = nodes.computeIfAbsent(node, n -> new NodeRecord(n, nodes.size()));
        AttemptRecord attempt =
                new AttemptRecord(attemptId, task, on, at, !task.live.isEmpty(), registry.phases, registry.noise);
        attempts.put(attemptId, attempt);
        task.live.add(attempt);
        task.backedUp |= attempt.backup();
        if (attempt.backup() && task.requested > 0) {
            forget(task, registry, 1);
            registry.roomMade = 0;
        }
        registry.backups += task.backups() - backupsBefore;
        if (!task.succeeded) {
            registry.running.put(taskId, task);
        }
        registry.liveAttempts++;
        registry.peakAttempts = Math.max(registry.peakAttempts, registry.liveAttempts);
        if (at - task.requestedAt > PROMPT_MILLIS) {
            registry.unknownNodesUsed = 0;
        } else if (on.free(kind) <= 0) {
            registry.unknownNodesUsed++;
        }
        on.started(attempt);
        return attempt;
    }

    /**
     * A progress report; ignored for attempts that are unknown or have ended. A score outside [0, 1] and one that is
     * lower than the one before do not count as progress.
     */
    public void reported(String attemptId, double score, long at) {
        version++;
        AttemptRecord attempt = attempts.get(attemptId);
        if (attempt != null && attempt.live()) {
            attempt.report(score, at);
        }
    }

    /**
     * An attempt ended.
     *
     * @param success whether its task succeeded with this attempt
     */
    public void ended(String attemptId, long at, boolean success) {
        version++;
        AttemptRecord attempt = attempts.get(attemptId);
        if (attempt == null || !attempt.live()) {
            return;
        }
        TaskRecord task = attempt.task();
        KindIndex registry = of(task.kind());
        int backupsBefore = task.backups();
        attempt.end(at, success);
        task.live.remove(attempt);
        registry.liveAttempts--;
        boolean first = success && !task.succeeded;
        attempt.on().ended(attempt, first);
        if (first) {
            task.succeeded = true;
            task.wonByBackup = attempt.backup();
            forget(task, registry, task.requested);
            registry.succeeded++;
            registry.finished.add(attempt);
            registry.finishedRuns.add(attempt);
            registry.longestFinish = Math.max(registry.longestFinish, attempt.millisAfterComplete());
            if (task.kind() == TaskKind.MAP && registry.succeeded == registry.total) {
                mapsDoneAt = at;
            }
        }
        if (task.succeeded || task.live.isEmpty()) {
            registry.running.remove(task.id());
        }
        registry.backups += task.backups() - backupsBefore;
    }

    /** The output of a finished task was lost; the task runs again. */
    public void reopened(TaskKind kind, String taskId) {
        version++;
        TaskRecord task = task(kind, taskId);
        if (task.succeeded) {
            task.succeeded = false;
            of(kind).succeeded--;
            if (kind == TaskKind.MAP) {
                mapsDoneAt = -1;
            }
        }
    }

    /** The caller requested a backup. */
    public void requested(TaskKind kind, String taskId, long at) {
        version++;
        TaskRecord task = task(kind, taskId);
        int backupsBefore = task.backups();
        task.requested++;
        task.requestedAt = at;
        of(kind).requested++;
        of(kind).backups += task.backups() - backupsBefore;
    }

    /** As {@link #requested}, in a dry run: it counts as a backup, but no attempt waits for a container. */
    public void requestedInDryRun(TaskKind kind, String taskId) {
        version++;
        TaskRecord task = task(kind, taskId);
        int backupsBefore = task.backups();
        task.requestedInDryRun++;
        of(kind).backups += task.backups() - backupsBefore;
    }

    /** The ApplicationMaster requested a container for an attempt of this task. */
    public void containerRequested(TaskKind kind, String taskId, long at) {
        version++;
        task(kind, taskId).requestedAt = at;
    }

    /** A requested backup will not start. */
    public void withdrawn(TaskKind kind, String taskId) {
        version++;
        TaskRecord task = task(kind, taskId);
        int backupsBefore = task.backups();
        forget(task, of(kind), Math.min(1, task.requested));
        of(kind).backups += task.backups() - backupsBefore;
    }

    /** A badly placed backup is moved: it ends, and its successor is already requested. */
    public void moved(String attemptId, long at) {
        AttemptRecord attempt = attempts.get(attemptId);
        if (attempt != null && attempt.live()) {
            attempt.task().moved++;
            attempt.task().movedFrom = attempt.node();
            ended(attemptId, at, false);
            requested(attempt.task().kind(), attempt.task().id(), at);
        }
    }

    /** A reduce that only waited for maps is ended, so that its slot can take the backup of a map. */
    public void madeRoom(String reduceAttempt, long at) {
        KindIndex maps = of(TaskKind.MAP);
        maps.roomMade++;
        maps.roomMadeAt = at;
        ended(reduceAttempt, at, false);
    }

    private static void forget(TaskRecord task, KindIndex registry, int requests) {
        task.requested -= requests;
        registry.requested -= requests;
    }

    public @Nullable AttemptRecord attempt(String attemptId) {
        return attempts.get(attemptId);
    }

    public @Nullable TaskRecord taskRecord(String taskId) {
        return tasks.get(taskId);
    }

    /** Tasks with live attempts that have not succeeded. */
    public Collection<TaskRecord> running(TaskKind kind) {
        return of(kind).running.values();
    }

    public int succeeded(TaskKind kind) {
        return of(kind).succeeded;
    }

    /** Backups running or requested. */
    public int backups(TaskKind kind) {
        return of(kind).backups;
    }

    /** Changes whenever something else changes that decisions depend on. */
    long version() {
        return version;
    }

    /** When the last map ended; -1 while a map still runs. */
    public long mapsDoneAt() {
        return of(TaskKind.MAP).total == 0 ? 0 : mapsDoneAt;
    }

    /** Share of the maps that have succeeded, in [0, 1]. */
    double mapsDoneShare() {
        KindIndex maps = of(TaskKind.MAP);
        return maps.total == 0 ? 1 : (double) maps.succeeded / maps.total;
    }

    KindIndex of(TaskKind kind) {
        KindIndex registry = kinds.get(kind);
        if (registry == null) {
            throw new IllegalStateException("no index for " + kind);
        }
        return registry;
    }

    int slotsOf(TaskKind kind) {
        KindIndex registry = of(kind);
        return registry.slots > 0 ? registry.slots : registry.peakAttempts;
    }

    /** Nodes on which attempts of this job have run. */
    Map<String, NodeRecord> nodes() {
        return nodes;
    }

    /** Median of the known sizes of the kind, or their mean if most of them are nearly 0; NaN when none is known. */
    double medianSize(TaskKind kind) {
        KindIndex registry = of(kind);
        if (Double.isNaN(registry.medianSize)) {
            double[] sizes = tasks.values().stream()
                    .filter(t -> t.kind() == kind && !Double.isNaN(t.size))
                    .mapToDouble(t -> t.size)
                    .toArray();
            double mean = Arrays.stream(sizes).average().orElse(Double.NaN);
            double median = Sample.median(sizes);
            registry.medianSize = median >= LEAST_MEDIAN * mean ? median : mean;
        }
        return registry.medianSize;
    }

    private TaskRecord task(TaskKind kind, String id) {
        return tasks.computeIfAbsent(id, i -> new TaskRecord(i, kind));
    }
}
