// SPDX-License-Identifier: Apache-2.0
package org.heddle.late.policy;

import org.jspecify.annotations.Nullable;

/**
 * How long tasks still run, in milliseconds. Of an attempt that has not reported enough for the {@link Estimator}, this
 * is what a typical run on its node leaves.
 */
final class TimeToEnd {
    // An attempt without any report is late after this many typical runs.
    static final double LATE_WITHOUT_REPORT = 1.5;
    // Progress comes in steps if the first one is typically seen after so many report intervals.
    private static final double STEP_INTERVALS = 3;
    // An attempt that has shown no progress still has at least this part of its run before it.
    private static final double AHEAD_WITHOUT_PROGRESS = 0.75;

    private final Settings settings;
    private final Baseline baseline;
    private final Estimator estimator;
    private final long now;
    private final double minAge;
    /** When an attempt typically shows its first progress; infinite if that says nothing. */
    private final double firstStepMillis;

    /** @param typicalFirstMillis from the start of an attempt to its first progress, typically; 0 if unknown */
    TimeToEnd(Settings settings, Baseline baseline, Estimator estimator, double typicalFirstMillis, long now) {
        this.settings = settings;
        this.baseline = baseline;
        this.estimator = estimator;
        this.now = now;
        this.minAge = minAge(baseline.typicalMillis());
        boolean inSteps = typicalFirstMillis >= STEP_INTERVALS * settings.reportMillis;
        this.firstStepMillis = inSteps ? typicalFirstMillis : Double.POSITIVE_INFINITY;
    }

    private double minAge(double typicalMillis) {
        // A task that is shorter than the time of two reports is late before it reports.
        double late = LATE_WITHOUT_REPORT * typicalMillis;
        double reports = Math.min(late, (double) AttemptRecord.REPORTS_OF_A_PACE * settings.reportMillis);
        double share = settings.minAgeShare * typicalMillis;
        return Math.min((double) settings.minAgeMillis, Math.max(reports, share));
    }

    /** The age from which on an attempt is judged by its reports. */
    double minAge() {
        return minAge;
    }

    /** How long the attempt has worked. */
    long age(AttemptRecord attempt) {
        return now - baseline.workingSince(attempt);
    }

    /** The whole run of the attempt, by its reports alone; NaN if it has none. */
    double run(AttemptRecord attempt) {
        return age(attempt) + estimator.remainingMillis(attempt, now);
    }

    /** Until the first of its attempts ends. */
    double of(TaskRecord task) {
        return without(null, task);
    }

    /** Until the first of its attempts but this one ends. */
    double without(@Nullable AttemptRecord backup, TaskRecord task) {
        double first = Double.POSITIVE_INFINITY;
        for (AttemptRecord attempt : task.live) {
            if (attempt != backup) {
                first = Math.min(first, of(attempt));
            }
        }
        return first;
    }

    private double of(AttemptRecord attempt) {
        double left = estimator.remainingMillis(attempt, now);
        boolean youngOnSlowNode = age(attempt) < minAge && baseline.knownSlow(attempt.on());
        if (Double.isNaN(left) || !attempt.showsPace() || youngOnSlowNode) {
            return expected(attempt);
        }
        return left;
    }

    /**
     * Of an attempt without a usable report: a typical run on its node, most of which is still to come if it has shown
     * no progress; and once it is late, twice its age.
     */
    private double expected(AttemptRecord attempt) {
        double run = baseline.freshMillis(attempt.task()) * baseline.slowness(attempt.on());
        double age = age(attempt);
        if (age >= LATE_WITHOUT_REPORT * run) {
            return 2 * age;
        }
        double ahead = Math.max(0, run - age);
        if (attempt.readings() == 0) {
            ahead = Math.max(ahead, AHEAD_WITHOUT_PROGRESS * run);
        }
        if (lateWithFirstStep(attempt)) {
            ahead = Math.max(ahead, run * firstProgress(attempt) / firstStepMillis - age);
        }
        return ahead;
    }

    /**
     * Whether progress comes in large steps, and others have long shown the first one. The time of a first report says
     * less.
     */
    boolean lateWithFirstStep(AttemptRecord attempt) {
        return !attempt.showsPace() && firstProgress(attempt) >= LATE_WITHOUT_REPORT * firstStepMillis;
    }

    /** From the start to the first progress, which is still to come or was the only one. */
    private double firstProgress(AttemptRecord attempt) {
        return attempt.readings() == 0 ? now - attempt.startedAt() : attempt.firstProgressMillis();
    }
}
