// SPDX-License-Identifier: Apache-2.0
package org.heddle.late.policy;

import java.util.Optional;
import org.heddle.late.policy.Settings.EstimatorKind;

/** The estimators of {@link EstimatorKind}. */
public final class Estimators {
    // A phase shows the pace of an attempt if this share of the phase is done, and if it is this share of a run.
    private static final double PACE_SEEN = 0.2;
    private static final double SHARE_THAT_COUNTS = 0.1;
    // A report of 1.0 is wrong if the end takes this many times as long as it took any other attempt of the kind.
    private static final double LATE_FINISH = 3;

    private Estimators() {}

    /** The paper's: (1 - score) / (score / elapsed). */
    public static Estimator progressRate() {
        return (attempt, now) -> {
            double elapsed = now - attempt.startedAt();
            return attempt.score() > 0 ? (1 - attempt.score()) / attempt.score() * elapsed : Double.NaN;
        };
    }

    /**
     * The same with a recency-weighted rate, which follows a node that becomes slower or faster. Silence longer than
     * {@code silenceMillis} counts as time without progress.
     */
    public static Estimator recentRate(long windowMillis, double silenceMillis) {
        return (attempt, now) -> {
            if (attempt.readings() == 0) {
                return Double.NaN;
            }
            double width = attempt.phases().width(attempt.phase());
            return leftInPhase(attempt, now, 1 - attempt.score(), width, windowMillis, silenceMillis);
        };
    }

    /** Section 4.2: the current phase by its own rate, the later phases by the times of other attempts. */
    static Estimator phaseAware(PhaseStats stats) {
        return (attempt, now) -> {
            double fraction = attempt.phaseFraction();
            double elapsed = now - attempt.enteredAt(attempt.phase());
            return phases(attempt, now, stats, fraction > 0 ? (1 - fraction) / fraction * elapsed : Double.NaN, 1);
        };
    }

    /**
     * Phase-aware, with {@link #recentRate} in the current phase. An attempt that is slower than others so far is
     * expected to stay slower: the paper's heuristic assumes full speed in the later phases, even on a node with a third
     * of the speed.
     */
    static Estimator phaseAwareRecent(PhaseStats stats, long windowMillis, double silenceMillis) {
        return (attempt, now) -> phases(
                attempt,
                now,
                stats,
                leftInPhase(attempt, now, stats, windowMillis, silenceMillis),
                ownPace(attempt, stats));
    }

    /** By the times of other attempts if the phase begins slowly in all of them, else at the attempt's recent rate. */
    private static double leftInPhase(
            AttemptRecord attempt, long now, PhaseStats stats, long windowMillis, double silenceMillis) {
        long silent = attempt.silentFor(now);
        Optional<SlowBeginning> beginning = stats.slowBeginning(attempt.phase());
        if (beginning.isPresent() && attempt.readings() > 0 && silent <= silenceMillis && !attempt.brokenDown()) {
            double elapsed = (double) (attempt.reportedAt() - attempt.enteredAt(attempt.phase()));
            return Math.max(0, beginning.get().remainingMillis(attempt.phaseFraction(), elapsed) - silent);
        }
        return leftInPhase(attempt, now, 1 - attempt.phaseFraction(), 1, windowMillis, silenceMillis);
    }

    static Estimator of(Settings settings, PhaseStats stats) {
        double silence = stats.silenceMillis(settings.silenceMillis());
        switch (settings.estimator) {
            case PROGRESS_RATE:
                return progressRate();
            case RECENT_RATE:
                return stoppedOnes(recentRate(settings.windowMillis, silence), stats, silence);
            case PHASE_AWARE:
                return phaseAware(stats);
            case PHASE_AWARE_RECENT:
                return stoppedOnes(phaseAwareRecent(stats, settings.windowMillis, silence), stats, silence);
        }
        throw new IllegalStateException("no estimator for " + settings.estimator);
    }

    /**
     * Attempts that have stopped. An attempt that has been silent for longer than {@code silenceMillis} is expected to
     * stay silent for as long again. An attempt that has reported 1.0 and does not end, although others have ended soon
     * after that report, is expected to run for as long again as it has run.
     */
    private static Estimator stoppedOnes(Estimator running, PhaseStats stats, double silence) {
        double lateFinish = Math.max(silence, LATE_FINISH * stats.longestFinishMillis());
        return (attempt, now) -> {
            long silent = attempt.silentFor(now);
            if (attempt.complete()) {
                return silent > lateFinish ? now - attempt.startedAt() : silent > silence ? silent : 0;
            }
            double left = running.remainingMillis(attempt, now);
            return silent > silence ? Math.max(left, (double) silent) : left;
        };
    }

    /**
     * Time for {@code left} of a quantity that advances by {@code scale} per phase. The rate is that of the last report;
     * the time since then was spent on what was left, unless the silence is too long.
     */
    private static double leftInPhase(
            AttemptRecord attempt, long now, double left, double scale, long windowMillis, double silenceMillis) {
        long silent = attempt.silentFor(now);
        boolean still = silent > silenceMillis;
        double rate = attempt.recentRate(windowMillis, still ? silent : 0) * scale;
        if (Double.isNaN(rate)) {
            return Double.NaN;
        }
        double millis = rate > 0 ? left / rate : Double.POSITIVE_INFINITY;
        return still ? millis : Math.max(0, millis - silent);
    }

    /** How many times slower than others the attempt was in its longest phase so far; at least 1. */
    private static double ownPace(AttemptRecord attempt, PhaseStats stats) {
        double longest = 0;
        double pace = 1;
        for (int p = 0; p <= attempt.phase(); p++) {
            double typical = stats.typicalMillis(p);
            boolean done = p < attempt.phase();
            if (!(typical > longest) || (!done && attempt.phaseFraction() < PACE_SEEN)) {
                continue;
            }
            double own = done ? attempt.enteredAt(p + 1) - attempt.enteredAt(p) : 1 / attempt.phaseRate();
            if (own > 0) {
                longest = typical;
                pace = Math.max(1, own / typical);
            }
        }
        return longest >= SHARE_THAT_COUNTS * stats.typicalMillis() ? pace : 1;
    }

    private static double phases(AttemptRecord attempt, long now, PhaseStats stats, double leftInCurrent, double pace) {
        if (attempt.readings() == 0) {
            return Double.NaN;
        }
        int current = attempt.phase();
        double remaining = Double.isNaN(leftInCurrent) ? typical(attempt, now, stats, current) : leftInCurrent;
        for (int p = current + 1; p < attempt.phases().count(); p++) {
            remaining += typical(attempt, now, stats, p) * pace;
        }
        return remaining;
    }

    /** Typical time of a phase; if no attempt has been in it, its time at the attempt's overall rate. */
    private static double typical(AttemptRecord attempt, long now, PhaseStats stats, int phase) {
        double elsewhere = stats.typicalMillis(phase);
        if (!Double.isNaN(elsewhere)) {
            return elsewhere;
        }
        double elapsed = Math.max(1, now - attempt.startedAt());
        return attempt.phases().width(phase) / attempt.score() * elapsed;
    }
}
