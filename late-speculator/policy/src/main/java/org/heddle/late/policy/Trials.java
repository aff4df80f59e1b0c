// SPDX-License-Identifier: Apache-2.0
package org.heddle.late.policy;

import java.util.LinkedHashSet;
import java.util.Set;

/**
 * Backups of tasks that are slow at a steady pace although nothing shows that their nodes are slow. Either the attempt
 * has met something slow, a disk or a replica for example, and a backup is faster; or the task itself is large, and its
 * backup is as slow. Such backups tell which it is in this job.
 */
final class Trials {
    // A backup is faster if its whole run takes at most this part of the original's.
    private static final double FASTER_PART = 0.8;
    private static final int REPORTS_OF_A_FASTER_ONE = 2;
    private static final int REPORTS_OF_A_SLOW_ONE = 3;
    // So many that are as slow show that tasks are large.
    private static final int ENOUGH_AS_SLOW = 3;
    // A run that is so many times longer than those of all tried tasks is not explained by them.
    private static final double LONGER = 2;

    /** What the running backups of a task have shown by now. */
    private enum Told {
        NOTHING,
        FASTER,
        AS_SLOW
    }

    private final Set<TaskRecord> open = new LinkedHashSet<>();
    private int endedFaster;
    private int endedAsSlow;
    private int faster;
    private int asSlow;
    private int untold;
    private double longestTried;
    private boolean halfHasEnded;

    /** Looks for backups of such tasks, and at what they have shown by now. */
    void look(AttemptRegistry.KindIndex index, SteadyPace pace, Estimator estimator, long now) {
        halfHasEnded = 2 * index.succeeded >= index.total;
        open.removeIf(this::ended);
        for (TaskRecord task : index.running.values()) {
            if (task.live.size() + task.pending() > 1 && pace.needsTrial(task)) {
                open.add(task);
            }
        }
        faster = endedFaster;
        asSlow = endedAsSlow;
        untold = 0;
        for (TaskRecord task : open) {
            double run = run(task.live.get(0), estimator, now);
            longestTried = run < Double.POSITIVE_INFINITY ? Math.max(longestTried, run) : longestTried;
            switch (told(task, estimator, now)) {
                case FASTER:
                    faster++;
                    break;
                case AS_SLOW:
                    asSlow++;
                    break;
                case NOTHING:
                    untold++;
                    break;
            }
        }
    }

    /**
     * How many more tasks may be tried that are probably large: one, and two for each backup that was faster. Before
     * half of all tasks have ended, those that have are short, and every other one seems to be large.
     */
    int more() {
        int first = halfHasEnded ? 1 : 0;
        return Math.max(0, first + 2 * faster - asSlow - untold);
    }

    /** Whether a task that takes so long is tried, however many others have been. */
    boolean longerThanTried(double runMillis) {
        return longestTried > 0 && runMillis > LONGER * longestTried;
    }

    /** Whether the backups have shown that such tasks are large. */
    boolean allAsSlow() {
        return asSlow >= ENOUGH_AS_SLOW && asSlow > 2 * faster;
    }

    /** A backup that has not run tells nothing. */
    private boolean ended(TaskRecord task) {
        if (task.succeeded && task.wonByBackup) {
            endedFaster++;
        } else if (task.succeeded && task.backedUp) {
            endedAsSlow++;
        }
        return task.succeeded || (task.pending() == 0 && task.live.size() < 2);
    }

    private static Told told(TaskRecord task, Estimator estimator, long now) {
        Told told = Told.NOTHING;
        for (AttemptRecord attempt : task.live) {
            if (attempt.backup() && attempt.readings() >= REPORTS_OF_A_FASTER_ONE) {
                double original = run(task.live.get(0), estimator, now);
                if (run(attempt, estimator, now) <= FASTER_PART * original) {
                    return Told.FASTER;
                }
                if (attempt.readings() >= REPORTS_OF_A_SLOW_ONE) {
                    told = Told.AS_SLOW;
                }
            }
        }
        return told;
    }

    private static double run(AttemptRecord attempt, Estimator estimator, long now) {
        return now - attempt.startedAt() + estimator.remainingMillis(attempt, now);
    }
}
