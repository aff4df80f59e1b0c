// SPDX-License-Identifier: Apache-2.0
package org.heddle.late.policy;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;

/**
 * The default profile: a task gets a backup if it deserves one by itself ({@link TaskRules}) and the job does not end
 * before it. The paper uses percentiles instead, by which a quarter of the tasks of an even cluster is always slow.
 *
 * <p>The constants of these classes were tuned as those of {@link Settings}.
 */
final class HeddleRules implements Rules {
    // Estimates are not exact: only a task that ends before this part of the job's earliest end needs no backup.
    private static final double CLEARLY_BEFORE = 0.9;
    // After so many times the longest run an attempt without any report has probably stopped. Nodes are rarely that
    // slow.
    private static final double STOPPED_WITHOUT_REPORT = 5;

    private final TaskRules tasks;
    private final TimeToEnd times;
    private final Baseline baseline;
    private final SteadyPace pace;
    private final Trials trials;
    private final Map<TaskRecord, Double> remaining = new HashMap<>();
    private final double earliestEnd;

    /** @param running the tasks of the kind */
    HeddleRules(
            Collection<TaskRecord> running,
            TaskRules tasks,
            TimeToEnd times,
            Baseline baseline,
            SteadyPace pace,
            Trials trials) {
        this.tasks = tasks;
        this.times = times;
        this.baseline = baseline;
        this.pace = pace;
        this.trials = trials;
        running.forEach(task -> remaining.put(task, times.of(task)));
        this.earliestEnd = earliestEnd(remaining, tasks);
    }

    /** Milliseconds until the last task ends, if each task that deserves a backup gets one now. */
    private static double earliestEnd(Map<TaskRecord, Double> remaining, TaskRules tasks) {
        double last = 0;
        for (Map.Entry<TaskRecord, Double> entry : remaining.entrySet()) {
            TaskRecord task = entry.getKey();
            double left = entry.getValue();
            if (tasks.endsEarlierByBackup(task, left)) {
                left = Math.min(left, tasks.freshMillis(task));
            }
            last = Math.max(last, left);
        }
        return last;
    }

    @Override
    public Decision judge(TaskRecord task) {
        double left = remaining.getOrDefault(task, Double.POSITIVE_INFINITY);
        Reason reason = tasks.judge(task, left);
        boolean alone = task.live.size() + task.pending() == 1;
        if (reason == Reason.TASK_BOUND && alone && (trials.more() > 0 || longerThanTried(task))) {
            reason = Reason.LONGEST_TIME_TO_END;
        }
        if (reason.action() == Decision.Action.LAUNCH && left < CLEARLY_BEFORE * earliestEnd) {
            reason = Reason.NOT_THE_LAST;
        }
        return Decision.of(task.live.get(0), reason, left, tasks.freshMillis(task));
    }

    @Override
    public boolean tries(TaskRecord task) {
        return task.live.size() == 1 && pace.ofLargeTask(task.live.get(0)) && !longerThanTried(task);
    }

    private boolean longerThanTried(TaskRecord task) {
        return trials.longerThanTried(tasks.run(task));
    }

    @Override
    public int trialsLeft() {
        return trials.more();
    }

    @Override
    public boolean slow(NodeRecord node) {
        return tasks.slow(node);
    }

    @Override
    public double slowness(NodeRecord node) {
        return baseline.slowness(node);
    }

    @Override
    public double freshMillis(TaskRecord task, NodeRecord node) {
        return baseline.freshMillis(task) * baseline.slowness(node);
    }

    @Override
    public boolean pays(double left, double fresh) {
        return tasks.pays(left, fresh);
    }

    /**
     * From its reports, or from runs that have ended on its node. Of other attempts it is only known that they have run
     * for long without a report: on a slow node it takes long to start the JVM, and the end may be near.
     */
    @Override
    public boolean foresees(TaskRecord task) {
        return task.live.stream()
                .allMatch(attempt -> attempt.showsPace()
                        || baseline.finishedOn(attempt.on()) > 0
                        || times.age(attempt) >= STOPPED_WITHOUT_REPORT * baseline.longestRunMillis());
    }

    @Override
    public boolean misplaced(AttemptRecord backup, FreeSlots freeSlots) {
        TaskRecord task = backup.task();
        double elsewhere = freeSlots.expectedMillis(task);
        if (elsewhere == Double.POSITIVE_INFINITY) {
            return slow(backup.on());
        }
        double here = Math.min(times.without(backup, task), freshMillis(task, backup.on()));
        return pays(here, FreeSlots.RETRY_MILLIS + elsewhere);
    }
}
