// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.fit;

import org.apache.commons.math3.distribution.TDistribution;
import org.apache.commons.math3.stat.descriptive.DescriptiveStatistics;

/**
 * The alpha of one pair of jobs (paper, section 5.2) from runs in which both ran side by side. In one run the alpha of
 * the pair is the larger stretch of its two jobs; over several runs it is their mean.
 */
public final class PairStretch {
    /** A job shows its stretch only if it ran beside the other one for at least this part of its time. */
    public static final double LEAST_OVERLAP = 0.25;

    private static final double LEVEL = 0.9;

    private final DescriptiveStatistics runs = new DescriptiveStatistics();

    /**
     * By which factor a job ran slower while another one ran beside it.
     *
     * @param alone seconds that it takes without the other job, &gt; 0
     * @param actual seconds that it took
     * @param together seconds of these in which both ran
     * @return NaN if they ran together for less than {@link #LEAST_OVERLAP} of its time, or if the rest of the time was
     *     enough for the whole job
     */
    public static double of(double alone, double actual, double together) {
        double leftForTogether = alone - (actual - together);
        return together < LEAST_OVERLAP * actual || leftForTogether <= 0 ? Double.NaN : together / leftForTogether;
    }

    /**
     * Notes one run of the pair. A job whose stretch is NaN is not considered.
     *
     * @return whether the run showed the stretch of at least one of the two jobs
     */
    public boolean add(double host, double extra) {
        boolean hostShows = !Double.isNaN(host);
        boolean extraShows = !Double.isNaN(extra);
        if (hostShows && extraShows) {
            runs.addValue(Math.max(host, extra));
        } else if (hostShows || extraShows) {
            runs.addValue(hostShows ? host : extra);
        }
        return hostShows || extraShows;
    }

    /** Runs that showed a stretch. */
    public long runs() {
        return runs.getN();
    }

    /** The alpha of the pair, at least 1; NaN without runs. */
    public double alpha() {
        return Math.max(1, runs.getMean());
    }

    /** Half the width of the interval that contains alpha with 90 % probability; NaN with fewer than two runs. */
    public double margin() {
        long n = runs.getN();
        if (n < 2) {
            return Double.NaN;
        }
        double quantile = new TDistribution(null, n - 1.0).inverseCumulativeProbability((1 + LEVEL) / 2);
        return quantile * runs.getStandardDeviation() / Math.sqrt((double) n);
    }
}
