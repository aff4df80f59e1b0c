// SPDX-License-Identifier: Apache-2.0
package org.heddle.late.policy;

import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * All indices over tasks, attempts and nodes, in one place so that they agree. Not thread safe: the owner guards it.
 *
 * <p>Life of an attempt: {@link #started} -> {@link #reported}* -> {@link #ended}. An attempt that starts while another
 * one of its task is live is a backup, whoever asked for it.
 */
public final class AttemptRegistry {

    /** The part of the book about one kind. */
    static final class KindBook {
        final Map<String, TaskRecord> running = new LinkedHashMap<>();
        final List<AttemptRecord> finished = new ArrayList<>();
        PhaseModel phases = PhaseModel.SINGLE;
        int total;
        int succeeded;
        int waiting;
        int liveAttempts;
        int peakAttempts;
        int slots;
        int backups;
        int requested;
        int foundBeyond;
        double medianSize = Double.NaN;
    }

    // Two heartbeats of the ApplicationMaster, one of a node, and the start of a JVM.
    private static final long PROMPT_MILLIS = 6_000;

    private final EnumMap<TaskKind, KindBook> kinds = new EnumMap<>(TaskKind.class);
    private final Map<String, TaskRecord> tasks = new HashMap<>();
    private final Map<String, AttemptRecord> attempts = new HashMap<>();
    private final Map<String, NodeRecord> nodes = new HashMap<>();
    private final long windowMillis;
    private long mapsDoneAt = -1;
    private double spent;

    /** @param windowMillis time constant of the recency-weighted rates */
    public AttemptRegistry(long windowMillis) {
        this.windowMillis = windowMillis;
        for (TaskKind kind : TaskKind.values()) {
            kinds.put(kind, new KindBook());
        }
        of(TaskKind.REDUCE).phases = PhaseModel.THIRDS;
    }

    /** How scores of this kind divide into phases. To be called before the first attempt of the kind. */
    public void phases(TaskKind kind, PhaseModel phases) {
        of(kind).phases = phases;
    }

    /** Number of tasks of the kind in the job. */
    public void total(TaskKind kind, int tasksOfKind) {
        of(kind).total = tasksOfKind;
    }

    /** Slots the kind may use, when the caller knows; otherwise the peak of live attempts stands for it. */
    public void slots(TaskKind kind, int slots) {
        of(kind).slots = slots;
    }

    /** Input size of a task in any unit common to its kind. Negative or NaN means unknown. */
    public void size(TaskKind kind, String task, double size) {
        task(kind, task).size = size >= 0 ? size : Double.NaN;
        of(kind).medianSize = Double.NaN;
    }

    /** Attempts of the kind that began (+) or ceased (-) to wait for a container. */
    public void waiting(TaskKind kind, int change) {
        KindBook book = of(kind);
        book.waiting = Math.max(0, book.waiting + change);
    }

    /**
     * An attempt began to run.
     *
     * @return its record; the existing one when it had been announced before
     */
    public AttemptRecord started(TaskKind kind, String taskId, String attemptId, String node, long at) {
        AttemptRecord known = attempts.get(attemptId);
        if (known != null) {
            return known;
        }
        TaskRecord task = task(kind, taskId);
        KindBook book = of(kind);
        int backupsBefore = task.backups();
        AttemptRecord attempt = new AttemptRecord(attemptId, task, node, at, !task.live.isEmpty(), book.phases);
        attempts.put(attemptId, attempt);
        task.live.add(attempt);
        if (attempt.backup() && task.requested > 0) {
            forget(task, book, 1);
        }
        book.backups += task.backups() - backupsBefore;
        if (!task.succeeded) {
            book.running.put(taskId, task);
        }
        book.liveAttempts++;
        book.peakAttempts = Math.max(book.peakAttempts, book.liveAttempts);
        NodeRecord on = nodes.computeIfAbsent(node, n -> new NodeRecord());
        if (at - task.askedAt > PROMPT_MILLIS) {
            book.foundBeyond = 0;
        } else if (on.free(kind) <= 0) {
            book.foundBeyond++;
        }
        on.started(attempt);
        return attempt;
    }

    /** A progress report; ignored for attempts that are unknown or have ended. */
    public void reported(String attemptId, double score, long at) {
        AttemptRecord attempt = attempts.get(attemptId);
        if (attempt != null && attempt.live()) {
            attempt.report(Math.min(1, Math.max(0, score)), at, windowMillis);
        }
    }

    /**
     * An attempt ended.
     *
     * @param success whether it is the attempt its task succeeded with
     */
    public void ended(String attemptId, long at, boolean success) {
        AttemptRecord attempt = attempts.get(attemptId);
        if (attempt == null || !attempt.live()) {
            return;
        }
        TaskRecord task = attempt.task();
        KindBook book = of(task.kind());
        int backupsBefore = task.backups();
        attempt.end(at, success);
        task.live.remove(attempt);
        book.liveAttempts--;
        boolean first = success && !task.succeeded;
        NodeRecord node = nodes.get(attempt.node());
        if (node != null) {
            node.ended(attempt, first);
        }
        if (first) {
            task.succeeded = true;
            forget(task, book, task.requested);
            book.succeeded++;
            book.finished.add(attempt);
            if (task.kind() == TaskKind.MAP && book.succeeded == book.total) {
                mapsDoneAt = at;
            }
        }
        if (task.succeeded || task.live.isEmpty()) {
            book.running.remove(task.id());
        }
        book.backups += task.backups() - backupsBefore;
    }

    /** The output of a finished task was lost; the task runs again. */
    public void reopened(TaskKind kind, String taskId) {
        TaskRecord task = task(kind, taskId);
        if (task.succeeded) {
            task.succeeded = false;
            of(kind).succeeded--;
            if (kind == TaskKind.MAP) {
                mapsDoneAt = -1;
            }
        }
    }

    /** A backup was asked for; {@code cost} credits are booked for it. NaN books nothing. */
    public void requested(TaskKind kind, String taskId, double cost, long at) {
        TaskRecord task = task(kind, taskId);
        int backupsBefore = task.backups();
        task.requested++;
        task.askedAt = at;
        of(kind).requested++;
        of(kind).backups += task.backups() - backupsBefore;
        spent += Double.isNaN(cost) ? 0 : cost;
    }

    /** As {@link #requested}, for a dry run: it counts as a backup, but nobody waits for a container. */
    public void imagined(TaskKind kind, String taskId, double cost) {
        TaskRecord task = task(kind, taskId);
        int backupsBefore = task.backups();
        task.imagined++;
        of(kind).backups += task.backups() - backupsBefore;
        spent += Double.isNaN(cost) ? 0 : cost;
    }

    /** A container was asked for, for an attempt of this task. */
    public void asked(TaskKind kind, String taskId, long at) {
        task(kind, taskId).askedAt = at;
    }

    /** A request came to nothing. */
    public void withdrawn(TaskKind kind, String taskId) {
        TaskRecord task = task(kind, taskId);
        int backupsBefore = task.backups();
        forget(task, of(kind), Math.min(1, task.requested));
        of(kind).backups += task.backups() - backupsBefore;
    }

    /** A badly landed backup is being sent elsewhere: it ends, and its successor is already requested. */
    public void moved(String attemptId, long at) {
        AttemptRecord attempt = attempts.get(attemptId);
        if (attempt != null && attempt.live()) {
            attempt.task().moved++;
            attempt.task().movedFrom = attempt.node();
            ended(attemptId, at, false);
            requested(attempt.task().kind(), attempt.task().id(), Double.NaN, at);
        }
    }

    private static void forget(TaskRecord task, KindBook book, int requests) {
        task.requested -= requests;
        book.requested -= requests;
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

    public int waiting(TaskKind kind) {
        return of(kind).waiting;
    }

    /** Backups running or requested. */
    public int backups(TaskKind kind) {
        return of(kind).backups;
    }

    /** When the last map ended; -1 while one has not. */
    public long mapsDoneAt() {
        return of(TaskKind.MAP).total == 0 ? 0 : mapsDoneAt;
    }

    /** Share of the maps that have succeeded, in [0, 1]. */
    double mapsDoneShare() {
        KindBook maps = of(TaskKind.MAP);
        return maps.total == 0 ? 1 : (double) maps.succeeded / maps.total;
    }

    /** Credits booked for backups so far. */
    public double spent() {
        return spent;
    }

    KindBook of(TaskKind kind) {
        KindBook book = kinds.get(kind);
        if (book == null) {
            throw new IllegalStateException("no book for " + kind);
        }
        return book;
    }

    int slotsOf(TaskKind kind) {
        KindBook book = of(kind);
        return book.slots > 0 ? book.slots : book.peakAttempts;
    }

    /** Nodes that have run attempts of this job. */
    Map<String, NodeRecord> nodes() {
        return nodes;
    }

    /** Median of the known sizes of the kind; NaN when none is known. */
    double medianSize(TaskKind kind) {
        KindBook book = of(kind);
        if (Double.isNaN(book.medianSize)) {
            book.medianSize = Quantiles.median(tasks.values().stream()
                    .filter(t -> t.kind() == kind && !Double.isNaN(t.size))
                    .mapToDouble(t -> t.size)
                    .toArray());
        }
        return book.medianSize;
    }

    private TaskRecord task(TaskKind kind, String id) {
        return tasks.computeIfAbsent(id, i -> new TaskRecord(i, kind));
    }
}
