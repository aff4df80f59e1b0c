// SPDX-License-Identifier: Apache-2.0
package org.heddle.late.policy;

import org.heddle.late.policy.statistics.RateNoise;

/**
 * Attempts that go on at their pace, though other attempts on their node are not slow. Such an attempt is slow because
 * its task is large, or because of something that only the attempt has met, a disk or a replica for example.
 */
final class SteadyPace {
    // An attempt whose recent rate is at least this part of its mean rate has a steady pace.
    private static final double STEADY = 0.7;
    // A node is healthy if its other attempts take at most this many times the typical run.
    private static final double HEALTHY = 1.25;
    private static final int RUNS_OF_A_HEALTHY_NODE = 3;

    private final Baseline baseline;
    private final RateNoise noise;
    private final double silenceMillis;
    private final long now;

    SteadyPace(Baseline baseline, RateNoise noise, double silenceMillis, long now) {
        this.baseline = baseline;
        this.noise = noise;
        this.silenceMillis = silenceMillis;
        this.now = now;
    }

    /** Whether the attempt has probably not stopped. */
    boolean moves(AttemptRecord attempt) {
        return attempt.silentFor(now) <= silenceMillis;
    }

    /** Standard error of the attempt's mean rate, relative to that rate; 0 for an attempt that has stopped. */
    double error(AttemptRecord attempt) {
        return moves(attempt) ? noise.errorAfter(attempt.readings()) : 0;
    }

    /** Whether another run shows that the attempt's node is not slow. */
    boolean onHealthyNode(AttemptRecord attempt) {
        return baseline.fastestOfLatest(attempt.on()) <= HEALTHY && attempt.showsPace() && steady(attempt);
    }

    /**
     * Whether the task is probably large: its size is not known, and no other attempt shows that the node is slow. If
     * the size is known, the baseline includes it.
     */
    boolean ofLargeTask(AttemptRecord attempt) {
        return !baseline.sizesKnown(attempt.task()) && mayBeFast(attempt.on()) && steady(attempt);
    }

    /**
     * Whether the attempt shows how long its task takes, though its size is not known: the attempt is a backup that
     * goes on, and no other attempt shows that its node is slow.
     */
    boolean showsSize(AttemptRecord attempt) {
        return attempt.backup() && attempt.showsPace() && ofLargeTask(attempt);
    }

    /**
     * Whether most attempts on a node have normal times. Of one or two attempts one is enough, or none if the times of
     * tasks differ.
     */
    private boolean mayBeFast(NodeRecord node) {
        int runs = baseline.evidence(node);
        if (runs >= RUNS_OF_A_HEALTHY_NODE) {
            return baseline.slowness(node) <= HEALTHY;
        }
        return !baseline.runsAlike() && (runs < 2 || baseline.fastestOfLatest(node) <= HEALTHY);
    }

    /** Whether only a trial shows if a backup is faster. */
    boolean needsTrial(TaskRecord task) {
        AttemptRecord attempt = task.live.get(0);
        return onHealthyNode(attempt) || ofLargeTask(attempt);
    }

    private boolean steady(AttemptRecord attempt) {
        return moves(attempt) && attempt.recentRate(0) >= STEADY * attempt.phaseRate();
    }
}
