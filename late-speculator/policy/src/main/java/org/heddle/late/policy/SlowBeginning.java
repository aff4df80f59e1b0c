// SPDX-License-Identifier: Apache-2.0
package org.heddle.late.policy;

import java.util.List;
import java.util.Optional;
import org.heddle.late.policy.statistics.Sample;

/**
 * A phase whose score goes up slowly at first, in all attempts: a map that reads an index first, or whose records
 * become smaller. At its first pace every such attempt seems to take far longer than it does. Attempts that have ended
 * show at which part of the phase's time they had which part of its score.
 */
final class SlowBeginning {
    /** Parts of the score of a phase at which attempts note the time. */
    static final double[] SCORES = {1 / 64.0, 1 / 16.0, 0.25, 0.5, 0.75};

    private static final int SIXTEENTH = 1;
    private static final int HALF = 3;

    // The latest so many attempts count, and so many are enough.
    private static final int LATEST = 200;
    private static final int ENOUGH = 3;
    // Fewer reports of a run, its end included, do not show how it began.
    private static final int LEAST_REPORTS = 4;
    // By so much more of its time than of its score a phase must have passed at half of its score, from the first part
    // on.
    private static final double BEHIND = 0.15;
    // So much of the time for the first part is slow, if there was progress long before. A JVM that starts late shows
    // none.
    private static final double LONG_FIRST_PART = 0.3;
    private static final double LONG_BEFORE = 0.5;

    private final double[] times;
    private final double typicalMillis;

    private SlowBeginning(double[] times, double typicalMillis) {
        this.times = times;
        this.typicalMillis = typicalMillis;
    }

    /**
     * Empty if attempts show no such beginning.
     *
     * @param typicalMillis of the phase
     * @param firstMillis from the start of an attempt to its first progress, typically; 0 if unknown
     */
    static Optional<SlowBeginning> of(
            List<AttemptRecord> finished, int phase, double typicalMillis, double firstMillis) {
        double[] times = new double[SCORES.length];
        List<AttemptRecord> latest = finished.subList(Math.max(0, finished.size() - LATEST), finished.size());
        for (int i = 0; i < times.length; i++) {
            Sample seen = new Sample(latest.size());
            for (AttemptRecord attempt : latest) {
                double part = attempt.timeAt(phase, i);
                if (!Double.isNaN(part) && attempt.readings() >= LEAST_REPORTS) {
                    seen.add(part);
                }
            }
            if (seen.size() < ENOUGH) {
                return Optional.empty();
            }
            times[i] = seen.median();
        }
        boolean behind = fromFirst(times, HALF) > fromFirst(SCORES, HALF) + BEHIND;
        boolean slowFirst = times[SIXTEENTH] > LONG_FIRST_PART
                && firstMillis > 0
                && firstMillis < LONG_BEFORE * times[SIXTEENTH] * typicalMillis;
        return behind || slowFirst ? Optional.of(new SlowBeginning(times, typicalMillis)) : Optional.empty();
    }

    private static double fromFirst(double[] parts, int part) {
        return (parts[part] - parts[0]) / (1 - parts[0]);
    }

    /**
     * Milliseconds that an attempt still takes that had {@code fraction} of the score after {@code elapsed}
     * milliseconds.
     */
    double remainingMillis(double fraction, double elapsed) {
        if (fraction < SCORES[0]) {
            // As if the score grew with a power of the time, as it does between the next two parts.
            double exponent = Math.log(times[1] / times[0]) / Math.log(SCORES[1] / SCORES[0]);
            double passed = times[0] * Math.pow(fraction / SCORES[0], exponent);
            return Math.max(typicalMillis - elapsed, elapsed * (1 - passed) / Math.max(passed, 1e-6));
        }
        int i = 1;
        while (i < SCORES.length && SCORES[i] <= fraction) {
            i++;
        }
        double score = 1;
        double time = 1;
        if (i < SCORES.length) {
            score = SCORES[i];
            time = times[i];
        }
        double share = (fraction - SCORES[i - 1]) / (score - SCORES[i - 1]);
        double passed = times[i - 1] + share * (time - times[i - 1]);
        return elapsed * (1 - passed) / Math.max(passed, 1e-6);
    }
}
