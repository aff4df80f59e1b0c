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

    // Differences are counted in steps of this size up to 2, the most that there is.
    private static final double STEP = 0.02;
    // Median of the size of a difference of two numbers from a normal distribution, in standard deviations.
    private static final double MEDIAN = 0.954;

    private final int[] differences = new int[(int) (2 / STEP) + 1];
    private double sum;
    private int count;

    /** Adds two successive rates of an attempt. */
    public void add(double rate, double next) {
        double mean = (rate + next) / 2;
        double difference = mean > 0 ? (next - rate) / mean : 0;
        differences[(int) (Math.abs(difference) / STEP)]++;
        sum += Math.min(MOST, difference * difference);
        count++;
    }

    /** Whether enough rates have been seen. */
    public boolean known() {
        return count >= ENOUGH;
    }

    /**
     * Standard deviation of a rate as most reports show it, relative to the rate: pauses and changes of the pace, which
     * are rare, have no effect.
     */
    public double usualDeviation() {
        int left = count / 2;
        int i = 0;
        while (i < differences.length - 1 && differences[i] <= left) {
            left -= differences[i++];
        }
        return i * STEP / MEDIAN;
    }

    /**
     * Standard error of an attempt's mean rate after a number of reports, relative to that rate: half of the mean
     * square of successive differences is the variance of one report (von Neumann, 1941).
     */
    public double errorAfter(int reports) {
        return !known() ? 0 : Math.sqrt(sum / count / 2 / Math.max(1, reports));
    }
}
