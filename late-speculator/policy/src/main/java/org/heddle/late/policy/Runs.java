// SPDX-License-Identifier: Apache-2.0
package org.heddle.late.policy;

import java.util.List;
import org.heddle.late.policy.statistics.Sample;

/**
 * The runs of a kind in columns: those that have ended, in the order of their ends, and then those that can be
 * projected.
 */
final class Runs {
    // An attempt is projected once this part of it is done and it has reported twice.
    private static final double FRACTION_TO_JUDGE = 0.05;
    private static final int ENOUGH_PROJECTIONS = 3;
    private static final int ENOUGH_TO_FIT = 8;
    private static final double SIZE_SHARE_BEFORE_FIT = 0.8;
    private static final int MOST_RUNS_TO_FIT = 500;
    private static final int SHARES = 50;

    private final double medianSize;
    /** Index of the node of each run. */
    final int[] nodes;
    /** Relative to the median of the sizes; NaN if unknown. */
    private final double[] sizes;

    private final double[] millis;
    /** How many runs have ended. */
    final int ended;
    /** How many runs there are. */
    final int count;

    private final int running;

    /**
     * @param estimator of the time that attempts still take
     * @param now milliseconds, as all times
     */
    Runs(AttemptRegistry registry, TaskKind kind, Estimator estimator, long now) {
        AttemptRegistry.KindIndex index = registry.of(kind);
        List<AttemptRecord> finished = index.finished;
        int most = finished.size() + index.liveAttempts;
        nodes = new int[most];
        sizes = new double[most];
        millis = new double[most];
        medianSize = registry.medianSize(kind);
        ended = finished.size();
        long earliest = kind == TaskKind.REDUCE ? registry.mapsDoneAt() : Long.MIN_VALUE;
        index.finishedRuns.copy(finished, earliest, nodes, millis, sizes);
        int runs = ended;
        int live = 0;
        for (TaskRecord task : index.running.values()) {
            for (AttemptRecord attempt : task.live) {
                live++;
                double remaining = project(registry, attempt, estimator, now);
                if (!Double.isNaN(remaining)) {
                    nodes[runs] = attempt.on().index();
                    sizes[runs] = task.size;
                    millis[runs++] = now - Baseline.effectiveStart(registry, attempt) + remaining;
                }
            }
        }
        count = runs;
        running = live;
        for (int i = 0; i < count; i++) {
            sizes[i] = medianSize > 0 ? sizes[i] / medianSize : Double.NaN;
        }
    }

    /** Whether they are enough to tell what is normal. */
    boolean enough() {
        int projected = count - ended;
        return ended > 0 || (projected >= ENOUGH_PROJECTIONS && 2 * projected >= running);
    }

    /** The times of the runs if their tasks were of median size. */
    double[] normalMillis(double sizeShare) {
        double[] normal = new double[count];
        for (int i = 0; i < count; i++) {
            normal[i] = millis[i] / weight(sizes[i], sizeShare);
        }
        return normal;
    }

    private static double project(AttemptRegistry registry, AttemptRecord attempt, Estimator estimator, long now) {
        boolean waits = attempt.task().kind() == TaskKind.REDUCE && registry.mapsDoneAt() < 0;
        if (waits || attempt.score() < FRACTION_TO_JUDGE || !attempt.showsPace()) {
            return Double.NaN;
        }
        double remaining = estimator.remainingMillis(attempt, now);
        // An attempt without progress shows only that its node is slow: keep the projection finite.
        return Math.min(remaining, 100.0 * Math.max(1, now - attempt.startedAt()));
    }

    /**
     * How much longer a run is than one of median size.
     *
     * @param size by the median of the sizes; NaN if unknown
     */
    static double weight(double size, double sizeShare) {
        return Double.isNaN(size) ? 1 : Math.max(0.05, 1 - sizeShare + sizeShare * size);
    }

    /**
     * The share of a median task's run that grows with size, in [0, 1]: the one with which runs differ least from their
     * median. A run counts as at most twice too long or too short, because a slow node may have had the largest inputs.
     */
    double sizeShare() {
        if (!(medianSize > 0)) {
            return 0;
        }
        int step = 1 + count / MOST_RUNS_TO_FIT;
        double[] x = new double[count / step + 1];
        double[] y = new double[x.length];
        int n = 0;
        double sx = 0;
        double sxx = 0;
        for (int i = 0; i < count; i += step) {
            if (!Double.isNaN(sizes[i])) {
                x[n] = sizes[i];
                y[n] = millis[i];
                sx += x[n];
                sxx += x[n] * x[n];
                n++;
            }
        }
        if (n < ENOUGH_TO_FIT || n * sxx - sx * sx < 0.05 * n * n) {
            return SIZE_SHARE_BEFORE_FIT;
        }
        double best = SIZE_SHARE_BEFORE_FIT;
        double least = difference(x, y, n, best);
        for (int i = 0; i <= SHARES; i++) {
            double share = (double) i / SHARES;
            double difference = difference(x, y, n, share);
            if (difference < least) {
                least = difference;
                best = share;
            }
        }
        return best;
    }

    private static double difference(double[] x, double[] y, int n, double share) {
        double[] normal = new double[n];
        for (int i = 0; i < n; i++) {
            normal[i] = y[i] / weight(x[i], share);
        }
        double median = Sample.median(normal);
        double sum = 0;
        for (int i = 0; i < n; i++) {
            sum += Math.min(2, Math.max(normal[i] / median, median / normal[i]));
        }
        return sum;
    }
}
