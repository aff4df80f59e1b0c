// SPDX-License-Identifier: Apache-2.0
package org.heddle.late.policy.statistics;

/**
 * Measures how much the rate of an attempt varies from one report to the next, over all attempts of a kind. On a quiet
 * cluster the rate is constant. Where processors are contended, the first few reports say little about the rest of the
 * run.
 */
public final class RateNoise {
    // An attempt that stops or starts again is no noise.
    private static final double MOST = 1;
    private static final int ENOUGH = 10;

    private double sum;
    private int count;

    /** Adds two successive rates of an attempt. */
    public void add(double rate, double next) {
        double mean = (rate + next) / 2;
        double difference = mean > 0 ? (next - rate) / mean : 0;
        sum += Math.min(MOST, difference * difference);
        count++;
    }

    /**
     * Standard error of an attempt's mean rate after a number of reports, relative to that rate: half of the mean
     * square of successive differences is the variance of one report (von Neumann, 1941).
     */
    public double errorAfter(int reports) {
        return count < ENOUGH ? 0 : Math.sqrt(sum / count / 2 / Math.max(1, reports));
    }
}
