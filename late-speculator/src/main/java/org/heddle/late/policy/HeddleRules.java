// SPDX-License-Identifier: Apache-2.0
package org.heddle.late.policy;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The default profile: a backup is worth having when a fresh run beats waiting by a margin. Replaces the paper's
 * percentiles, which always call a quarter of an even cluster slow.
 */
final class HeddleRules implements Rules {
    // Without any report an attempt is late once it has run this many typical runs.
    private static final double LATE_WITHOUT_REPORT = 1.5;
    // A third attempt needs a clearer case than a second one.
    private static final double THIRD_ATTEMPT_MARGIN = 1.1;
    // An attempt whose recent rate is this much of its average is not slowing down.
    private static final double STEADY = 0.7;
    // A node whose other attempts run at most this many times the typical run is healthy.
    private static final double HEALTHY = 1.25;
    // A node whose other attempts take at least this many times the typical run is known to be slower.
    private static final double SLOWER = 1.1;
    // Estimates are not exact: only ends clearly before the job's earliest end are left alone.
    private static final double CLEARLY_BEFORE = 0.9;
    private static final int REPORTS_TO_JUDGE = 2;
    private static final int TELLING_RUNS = 2;
    // A reducer that has fetched this much less than there is, while its peers have it, does not only wait.
    private static final double FETCHES_SLOWLY = 0.5;

    private final AttemptRegistry book;
    private final Settings settings;
    private final Estimator estimator;
    private final Baseline baseline;
    private final long now;
    private final Map<TaskRecord, Double> remaining = new HashMap<>();
    private final double earliestEnd;
    private final double shuffleOfPeers;
    private final double landing;

    HeddleRules(
            AttemptRegistry book, TaskKind kind, Settings settings, Estimator estimator, Baseline baseline, long now) {
        this.book = book;
        this.settings = settings;
        this.estimator = estimator;
        this.baseline = baseline;
        this.now = now;
        this.landing = landingSlowness(book, kind, baseline);
        double end = 0;
        Sample shuffles = new Sample(16);
        for (TaskRecord task : book.running(kind)) {
            double left = bestRemaining(task, null);
            remaining.put(task, left);
            Reason reason = reason(task, left);
            boolean copied = reason.action() == Decision.Action.LAUNCH || reason == Reason.ALREADY_BACKED_UP;
            end = Math.max(end, copied ? Math.min(left, fresh(task)) : left);
            shuffles.add(task.live.get(0).score());
        }
        this.earliestEnd = end;
        this.shuffleOfPeers = kind == TaskKind.REDUCE ? shuffles.median() : Double.NaN;
    }

    @Override
    public Decision judge(TaskRecord task) {
        double left = remaining.getOrDefault(task, Double.POSITIVE_INFINITY);
        Reason reason = reason(task, left);
        if (reason.action() == Decision.Action.LAUNCH && left < CLEARLY_BEFORE * earliestEnd) {
            reason = Reason.NOT_THE_LAST;
        }
        return Decision.of(task.live.get(0), reason, left, fresh(task));
    }

    @Override
    public boolean slow(String node) {
        return baseline.evidence(node) > 0 && baseline.slowness(node) >= settings.slowNodeFactor * landing;
    }

    @Override
    public boolean provenSlow(String node) {
        return slow(node) && baseline.evidence(node) >= TELLING_RUNS;
    }

    @Override
    public double slowness(String node) {
        return baseline.slowness(node);
    }

    @Override
    public double freshMillis(TaskRecord task, String node) {
        return baseline.freshMillis(task) * baseline.slowness(node);
    }

    /** What a copy saves must also exceed what it takes to notice its progress. */
    @Override
    public boolean pays(double left, double fresh) {
        return left > settings.benefit * fresh && left - fresh >= settings.reportMillis;
    }

    @Override
    public boolean misplaced(AttemptRecord backup, FreeSlots room) {
        TaskRecord task = backup.task();
        double here = Math.min(bestRemaining(task, backup), freshMillis(task, backup.node()));
        double elsewhere = room.expectedMillis(task);
        return elsewhere == Double.POSITIVE_INFINITY
                ? slow(backup.node())
                : pays(here, FreeSlots.RETRY_MILLIS + elsewhere);
    }

    /** The slowness of the fastest node that is known to have room, else of where backups usually land. */
    private static double landingSlowness(AttemptRegistry book, TaskKind kind, Baseline baseline) {
        double best = Double.POSITIVE_INFINITY;
        for (Map.Entry<String, NodeRecord> node : book.nodes().entrySet()) {
            if (node.getValue().free(kind) > 0) {
                best = Math.min(best, baseline.slowness(node.getKey()));
            }
        }
        return best < Double.POSITIVE_INFINITY ? best : baseline.landingSlowness();
    }

    /** What a backup is expected to take where it will probably land. */
    private double fresh(TaskRecord task) {
        return baseline.freshMillis(task) * landing;
    }

    private Reason reason(TaskRecord task, double left) {
        int attempts = task.live.size() + task.asked();
        if (attempts > 1) {
            return forThird(task, attempts, left);
        }
        AttemptRecord attempt = task.live.get(0);
        long age = now - attempt.startedAt();
        double fresh = fresh(task);
        if (baseline.waitsForMaps(attempt)) {
            return fetchesSlowly(attempt) && age >= settings.minAgeMillis
                    ? benefit(attempt, left, fresh)
                    : Reason.WAITS_FOR_MAPS;
        }
        if (now - Baseline.effectiveStart(book, attempt) < minAge()) {
            return knownSlow(attempt.node()) ? benefit(attempt, left, fresh) : Reason.TOO_YOUNG;
        }
        if (attempt.readings() < REPORTS_TO_JUDGE && age < LATE_WITHOUT_REPORT * fresh) {
            return Reason.NO_REPORT;
        }
        return benefit(attempt, left, fresh);
    }

    private Reason benefit(AttemptRecord attempt, double left, double fresh) {
        if (!pays(left, fresh)) {
            return Reason.NO_BENEFIT;
        }
        return taskBound(attempt) ? Reason.TASK_BOUND : Reason.LONGEST_TIME_TO_END;
    }

    private Reason forThird(TaskRecord task, int attempts, double left) {
        if (attempts >= settings.maxAttempts) {
            return Reason.ATTEMPT_LIMIT;
        }
        if (task.asked() > 0) {
            return Reason.ALREADY_BACKED_UP;
        }
        double fresh = fresh(task);
        boolean hopeless = left > THIRD_ATTEMPT_MARGIN * settings.benefit * fresh;
        return hopeless ? Reason.BACKUP_STALLED_TOO : Reason.ALREADY_BACKED_UP;
    }

    /** The attempt that ends first counts. */
    private double bestRemaining(TaskRecord task, @Nullable AttemptRecord without) {
        double best = Double.POSITIVE_INFINITY;
        for (AttemptRecord attempt : task.live) {
            if (attempt == without) {
                continue;
            }
            double left = estimator.remainingMillis(attempt, now);
            boolean young = now - Baseline.effectiveStart(book, attempt) < minAge();
            boolean unknown =
                    Double.isNaN(left) || attempt.readings() < REPORTS_TO_JUDGE || (young && knownSlow(attempt.node()));
            best = Math.min(best, unknown ? expected(attempt) : left);
        }
        return best;
    }

    /** Of an attempt that says nothing yet: what one expects on its node, then twice what it has waited. */
    private double expected(AttemptRecord attempt) {
        double run = baseline.freshMillis(attempt.task()) * baseline.slowness(attempt.node());
        double age = now - Baseline.effectiveStart(book, attempt);
        return age < LATE_WITHOUT_REPORT * run ? Math.max(0, run - age) : 2 * age;
    }

    /** Whether earlier attempts have shown the node to be slow, so that a new one need not show it again. */
    private boolean knownSlow(String node) {
        boolean told = baseline.finishedOn(node) > 0 && baseline.evidence(node) >= TELLING_RUNS;
        return told && baseline.slowness(node) > SLOWER;
    }

    private double minAge() {
        double share = settings.minAgeShare * baseline.typicalMillis();
        double reports = (double) REPORTS_TO_JUDGE * settings.reportMillis;
        return Math.min((double) settings.minAgeMillis, Math.max(reports, share));
    }

    /**
     * Slow for a reason a copy would meet again: the size is not known, the pace is steady, and other attempts on the
     * same node do well. With a known size the baseline has accounted for it already.
     */
    private boolean taskBound(AttemptRecord attempt) {
        if (baseline.sizesKnown(attempt.task()) || attempt.silentFor(now) > settings.silenceMillis()) {
            return false;
        }
        double recent = attempt.recentRate(settings.windowMillis, 0);
        boolean steady = recent >= STEADY * attempt.phaseRate();
        return steady && baseline.evidence(attempt.node()) >= 3 && baseline.slowness(attempt.node()) <= HEALTHY;
    }

    private boolean fetchesSlowly(AttemptRecord attempt) {
        double there = book.mapsDoneShare() * attempt.phases().width(0);
        return attempt.score() < FETCHES_SLOWLY * Math.min(there, shuffleOfPeers);
    }
}
