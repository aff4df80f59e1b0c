// SPDX-License-Identifier: Apache-2.0
package org.heddle.whatif.replay;

import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.heddle.whatif.model.StagedWork;

/**
 * The executors of a job: each takes tasks of the stages whose earlier stages have ended, as many at once as it can.
 * Tasks may be much shorter than a heartbeat, so they follow each other at their own times, not at those of heartbeats.
 */
final class Executors {
    private static final class Executor {
        private final ContainerId id;
        private int tasks;
        private long idleSinceMillis;
        private boolean gone;

        Executor(ContainerId id, long idleSinceMillis) {
            this.id = id;
            this.idleSinceMillis = idleSinceMillis;
        }
    }

    /** A task that runs on an executor to a time. */
    private record Run(StageTasks.Task task, Executor executor, long endMillis, long order) {}

    private final StagedWork work;
    private final ReplayedJob job;
    private final StageTasks tasks;
    private final Map<ContainerId, Executor> executors = new LinkedHashMap<>();
    private final PriorityQueue<Run> runs =
            new PriorityQueue<>(Comparator.comparingLong(Run::endMillis).thenComparingLong(Run::order));
    private boolean driverIsReady;
    private long begun;
    private long wakesMillis = Long.MAX_VALUE;

    Executors(StagedWork work, ReplayedJob job) {
        this.work = work;
        this.job = job;
        tasks = new StageTasks(work.stages());
    }

    boolean isDone() {
        return driverIsReady && tasks.isDone();
    }

    /** The master runs; the driver has work of its own before the first task. */
    void driverStarted(long now) {
        job.wake(now + work.driverMillis(), () -> {
            driverIsReady = true;
            fill(job.now());
            if (tasks.isDone()) {
                job.endIfDone();
            }
        });
    }

    void came(ContainerId id, long now) {
        Executor executor = new Executor(id, now);
        executors.put(id, executor);
        fill(now);
        watch(executor, now);
    }

    /** Its tasks run once more elsewhere. */
    void lost(ContainerId id, long now) {
        Executor executor = executors.remove(id);
        if (executor == null) {
            return;
        }
        executor.gone = true;
        List<Run> lost = runs.stream().filter(run -> run.executor() == executor).toList();
        runs.removeAll(lost);
        lost.forEach(run -> tasks.repeat(run.task()));
        fill(now);
    }

    private void advance(long now) {
        wakesMillis = Long.MAX_VALUE;
        while (!runs.isEmpty() && runs.peek().endMillis() <= now) {
            Run run = runs.remove();
            run.executor().tasks--;
            tasks.ended(run.task());
            job.executedTask();
            fill(run.endMillis());
            watch(run.executor(), run.endMillis());
        }
        wakeForNext();
    }

    private void fill(long at) {
        if (!driverIsReady) {
            return;
        }
        for (Executor executor : executors.values()) {
            while (executor.tasks < work.tasksAtOnce() && tasks.hasReady()) {
                StageTasks.Task task = tasks.take();
                executor.tasks++;
                runs.add(new Run(task, executor, at + tasks.millis(task), begun++));
            }
            if (!tasks.hasReady()) {
                break;
            }
        }
        if (tasks.hasReady()) {
            job.requestAgain((tasks.ready() + work.tasksAtOnce() - 1) / work.tasksAtOnce());
        }
        wakeForNext();
    }

    private void wakeForNext() {
        if (!runs.isEmpty() && runs.peek().endMillis() < wakesMillis) {
            wakesMillis = runs.peek().endMillis();
            job.wake(wakesMillis, () -> advance(job.now()));
        }
    }

    /** Gives an executor back that has no task for long. */
    private void watch(Executor executor, long since) {
        if (executor.tasks > 0 || work.idleMillis() == Long.MAX_VALUE) {
            return;
        }
        executor.idleSinceMillis = since;
        job.wake(since + work.idleMillis(), () -> {
            if (executor.tasks == 0 && executor.idleSinceMillis == since && !executor.gone) {
                executor.gone = true;
                executors.remove(executor.id);
                job.giveBack(executor.id);
            }
        });
    }
}
