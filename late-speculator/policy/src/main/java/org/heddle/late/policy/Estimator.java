// SPDX-License-Identifier: Apache-2.0
package org.heddle.late.policy;

import java.util.Optional;

/**
 * Estimates how long a running attempt still takes: the current phase at the attempt's recent rate, the later phases by
 * the times of other attempts. This is the heuristic that section 4.2 of the paper sketches, with three additions:
 *
 * <ul>
 *   <li>An attempt that is slower than others so far is expected to stay slower. The paper's heuristic assumes full
 *       speed in the later phases, even on a node with a third of the speed.
 *   <li>Where a phase begins slowly in all attempts, their times count and not the recent rate.
 *   <li>An attempt without progress is expected to stay so for as long again.
 * </ul>
 */
final class Estimator {
    // A phase shows the pace of an attempt if this share of the phase is done, and if it is this share of a run.
    private static final double PACE_SEEN = 0.2;
    private static final double SHARE_THAT_COUNTS = 0.1;
    // A report of 1.0 is wrong if the end takes this many times as long as it took any other attempt of the kind.
    private static final double LATE_FINISH = 3;

    private final PhaseStats stats;
    private final double silenceMillis;

    /** @param silenceMillis time without progress after which an attempt has probably stopped */
    Estimator(PhaseStats stats, double silenceMillis) {
        this.stats = stats;
        this.silenceMillis = silenceMillis;
    }

    /**
     * @return milliseconds until the attempt ends; positive infinity if it makes no progress; NaN if it has never
     *     reported progress
     */
    double remainingMillis(AttemptRecord attempt, long now) {
        long silent = attempt.silentFor(now);
        if (attempt.complete()) {
            return afterComplete(attempt, silent, now);
        }
        double left = phases(attempt, silent, now);
        return silent > silenceMillis ? Math.max(left, (double) silent) : left;
    }

    /**
     * Of an attempt that has reported 1.0. If it does not end, although others have ended soon after that report, it is
     * expected to run for as long again as it has run.
     */
    private double afterComplete(AttemptRecord attempt, long silent, long now) {
        if (silent > Math.max(silenceMillis, LATE_FINISH * stats.longestFinishMillis())) {
            return now - attempt.startedAt();
        }
        return silent > silenceMillis ? silent : 0;
    }

    private double phases(AttemptRecord attempt, long silent, long now) {
        if (attempt.readings() == 0) {
            return Double.NaN;
        }
        double pace = ownPace(attempt);
        double remaining = leftInPhase(attempt, silent);
        if (Double.isNaN(remaining)) {
            remaining = typical(attempt, attempt.phase(), now);
        }
        for (int p = attempt.phase() + 1; p < attempt.phases().count(); p++) {
            remaining += typical(attempt, p, now) * pace;
        }
        return remaining;
    }

    /** By the times of other attempts if the phase begins slowly in all of them, else at the attempt's recent rate. */
    private double leftInPhase(AttemptRecord attempt, long silent) {
        boolean stopped = silent > silenceMillis;
        Optional<SlowBeginning> beginning = stats.slowBeginning(attempt.phase());
        if (beginning.isPresent() && !stopped && !attempt.brokenDown()) {
            double elapsed = (double) (attempt.reportedAt() - attempt.enteredAt(attempt.phase()));
            return Math.max(0, beginning.get().remainingMillis(attempt.phaseFraction(), elapsed) - silent);
        }
        double rate = attempt.recentRate(stopped ? silent : 0);
        if (Double.isNaN(rate)) {
            return Double.NaN;
        }
        if (rate <= 0) {
            return Double.POSITIVE_INFINITY;
        }
        double millis = (1 - attempt.phaseFraction()) / rate;
        // The rate is that of the last report. The time since then was spent on what was left.
        return stopped ? millis : Math.max(0, millis - silent);
    }

    /** How many times slower than others the attempt was in its longest phase so far; at least 1. */
    private double ownPace(AttemptRecord attempt) {
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

    /** Typical time of a phase; if no attempt has been in it, its time at the attempt's overall rate. */
    private double typical(AttemptRecord attempt, int phase, long now) {
        double elsewhere = stats.typicalMillis(phase);
        if (!Double.isNaN(elsewhere)) {
            return elsewhere;
        }
        double elapsed = Math.max(1, now - attempt.startedAt());
        return attempt.phases().width(phase) / attempt.score() * elapsed;
    }
}
