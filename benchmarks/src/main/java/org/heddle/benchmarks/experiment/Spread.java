// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.experiment;

import java.util.Arrays;
import java.util.Collection;

/**
 * The values of some repetitions.
 *
 * @param median the middle value; of an even number of values the mean of the two in the middle
 * @param least the smallest value
 * @param most the largest value
 * @param count how many values; 1 for a value that has no spread
 */
public record Spread(double median, double least, double most, int count) {
    /** One value. */
    public static Spread of(double value) {
        return new Spread(value, value, value, 1);
    }

    /** @throws IllegalArgumentException if there are no values */
    public static Spread of(double[] values) {
        if (values.length == 0) {
            throw new IllegalArgumentException("a spread of no values: at least one repetition is needed");
        }
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        int middle = sorted.length / 2;
        double median = sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
        return new Spread(median, sorted[0], sorted[sorted.length - 1], sorted.length);
    }

    /** @throws IllegalArgumentException if there are no values */
    public static Spread of(Collection<Double> values) {
        return of(values.stream().mapToDouble(Double::doubleValue).toArray());
    }

    /**
     * The least of the values such that this part of them is no larger.
     *
     * @param part 0 to 1
     * @throws IllegalArgumentException if there are no values
     */
    public static double percentile(double[] values, double part) {
        if (values.length == 0) {
            throw new IllegalArgumentException("a percentile of no values: at least one is needed");
        }
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return sorted[Math.max(0, (int) Math.ceil(part * sorted.length) - 1)];
    }

    /** Whether the repetitions differ. */
    public boolean spans() {
        return least < most;
    }
}
