// SPDX-License-Identifier: Apache-2.0
package org.heddle.late.policy;

import java.util.Arrays;

/** Order statistics of small samples. */
final class Quantiles {
    private Quantiles() {}

    /** The median, mean of the middle two for an even count; NaN of nothing. Sorts its argument. */
    static double median(double[] values) {
        if (values.length == 0) {
            return Double.NaN;
        }
        Arrays.sort(values);
        int mid = values.length / 2;
        return values.length % 2 == 1 ? values[mid] : (values[mid - 1] + values[mid]) / 2;
    }

    /**
     * Nearest-rank percentile: the smallest value with at least {@code percent} % of the sample at or below it. "Below
     * the 25th percentile" is then strict, and nothing is below the 0th. NaN of nothing. Sorts its argument.
     */
    static double percentile(double[] values, double percent) {
        if (values.length == 0) {
            return Double.NaN;
        }
        Arrays.sort(values);
        int rank = (int) Math.ceil(percent / 100 * values.length);
        return values[Math.max(0, Math.min(values.length, rank) - 1)];
    }
}
