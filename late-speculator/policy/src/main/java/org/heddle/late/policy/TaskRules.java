// SPDX-License-Identifier: Apache-2.0
package org.heddle.late.policy;

/**
 * Whether a task deserves a backup by itself, in the heddle profile: if a fresh run would end clearly earlier than the
 * attempts that run. {@link HeddleRules} compares the task with the others of its job.
 */
final class TaskRules {
    // Two reports at Hadoop's usual interval.
    private static final double START_MILLIS = 12_000;
    // A backup must also pay if the estimate is too long by so many standard errors.
    private static final double ERRORS = 3;
    // Before an attempt of the kind has finished, all times are projections from a few reports.
    private static final double BENEFIT_BEFORE_FIRST_END = 2;
    // A node that is this many times slower than the one on which a backup would run gets no backup.
    private static final double SLOW_NODE = 1.5;
    // Two attempts have the same pace if none takes less than this part of the other's run.
    private static final double AS_SLOW = 0.8;

    private final Settings settings;
    private final Baseline baseline;
    private final SteadyPace pace;
    private final Trials trials;
    private final TimeToEnd times;
    private final long now;
    private final double benefit;
    private final double slownessOfBackups;

    TaskRules(Settings settings, Baseline baseline, SteadyPace pace, Trials trials, TimeToEnd times, long now) {
        this.settings = settings;
        this.baseline = baseline;
        this.pace = pace;
        this.trials = trials;
        this.times = times;
        this.now = now;
        double least = baseline.measured() ? 1 : BENEFIT_BEFORE_FIRST_END;
        this.benefit = Math.max(settings.benefit, least);
        this.slownessOfBackups = baseline.backupNodeSlowness();
    }

    /** Expected milliseconds of a backup on the node on which it will probably run. */
    double freshMillis(TaskRecord task) {
        return baseline.freshMillis(task) * slownessOfBackups;
    }

    /** Whether a node is too slow for backups. */
    boolean slow(NodeRecord node) {
        return baseline.evidence(node) > 0 && baseline.slowness(node) >= SLOW_NODE * slownessOfBackups;
    }

    /** What a copy saves must also exceed what it takes to notice its progress, unless tasks are shorter than that. */
    boolean pays(double left, double fresh) {
        return left > benefit * fresh && left - fresh >= Math.min(fresh, (double) settings.reportMillis);
    }

    /**
     * Judges a task.
     *
     * @param left milliseconds that it still runs without a further backup
     */
    Reason judge(TaskRecord task, double left) {
        int attempts = task.live.size() + task.pending();
        if (attempts > 1) {
            return furtherAttempt(task, attempts, left);
        }
        AttemptRecord attempt = task.live.get(0);
        long age = now - attempt.startedAt();
        if (baseline.waitsForMaps(attempt)) {
            boolean judged = baseline.fetchesSlowly(attempt) && age >= settings.minAgeMillis;
            return judged ? benefit(attempt, left) : Reason.WAITS_FOR_MAPS;
        }
        if (times.age(attempt) < times.minAge()) {
            return baseline.knownSlow(attempt.on()) ? benefit(attempt, left) : Reason.TOO_YOUNG;
        }
        boolean late = age >= TimeToEnd.LATE_WITHOUT_REPORT * freshMillis(task) || times.lateWithFirstStep(attempt);
        if (!attempt.showsPace() && !late) {
            return Reason.NO_REPORT;
        }
        return benefit(attempt, left);
    }

    /** Whether the task has a backup, or deserves one. How long a reduce waits depends on the maps, not on a backup. */
    boolean endsEarlierByBackup(TaskRecord task, double left) {
        boolean alone = task.live.size() + task.pending() == 1;
        if (alone && baseline.waitsForMaps(task.live.get(0))) {
            return false;
        }
        Reason reason = judge(task, left);
        return reason.action() == Decision.Action.LAUNCH || reason == Reason.ALREADY_BACKED_UP;
    }

    private Reason benefit(AttemptRecord attempt, double left) {
        if (!pays(left, freshMillis(attempt.task()) * (1 + ERRORS * pace.error(attempt)))) {
            return Reason.NO_BENEFIT;
        }
        boolean large = pace.ofLargeTask(attempt) || (trials.allAsSlow() && pace.onHealthyNode(attempt));
        return large ? Reason.TASK_BOUND : Reason.LONGEST_TIME_TO_END;
    }

    private Reason furtherAttempt(TaskRecord task, int attempts, double left) {
        if (attempts >= settings.maxAttempts) {
            return Reason.ATTEMPT_LIMIT;
        }
        if (task.pending() > 0 || task.live.stream().anyMatch(this::mayStillBeFast)) {
            return Reason.ALREADY_BACKED_UP;
        }
        boolean hopeless = left > benefit * freshMillis(task);
        if (!hopeless) {
            return Reason.ALREADY_BACKED_UP;
        }
        return backupIsAsSlow(task) ? Reason.TASK_BOUND : Reason.BACKUP_STALLED_TOO;
    }

    /** Where reports come each second, the first ones of a backup show little but the start of its JVM. */
    private boolean mayStillBeFast(AttemptRecord attempt) {
        return attempt.backup()
                && attempt.showsPace()
                && times.minAge() >= START_MILLIS
                && times.age(attempt) < START_MILLIS
                && pace.moves(attempt)
                && !baseline.knownSlow(attempt.on())
                && !slow(attempt.on());
    }

    /**
     * Two attempts that go on at the same pace on two nodes, of which one is healthy, show that the task is large. If
     * its size is not known, a faster backup shows that, too.
     */
    private boolean backupIsAsSlow(TaskRecord task) {
        AttemptRecord first = task.live.get(0);
        return task.live.stream().anyMatch(backup -> {
            double share = times.run(backup) / times.run(first);
            boolean asSlow = share > AS_SLOW && pace.onHealthyNode(backup);
            return backup != first && share < 1 / AS_SLOW && (asSlow || pace.showsSize(backup));
        });
    }

    /** Milliseconds that the first attempt of a task takes, as far as it is known. */
    double run(TaskRecord task) {
        return times.run(task.live.get(0));
    }
}
