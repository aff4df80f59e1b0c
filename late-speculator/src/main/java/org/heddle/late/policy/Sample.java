// SPDX-License-Identifier: Apache-2.0
package org.heddle.late.policy;

import java.util.Arrays;

/**
 * A growing sample of numbers without boxing, with its median and percentiles. A library would do, but the policy depends
 * on nothing but the JDK.
 */
public final class Sample {
    private double[] values;
    private int size;

    public Sample(int expected) {
        values = new double[Math.max(4, expected)];
    }

    public void add(double value) {
        if (size == values.length) {
            values = Arrays.copyOf(values, 2 * size);
        }
        values[size++] = value;
    }

    int size() {
        return size;
    }

    /** The median, for an even count the mean of the middle two; NaN of an empty sample. */
    public double median() {
        return median(Arrays.copyOf(values, size));
    }

    /**
     * Nearest-rank percentile: the smallest value with at least {@code percent} % of the sample at or below it. "Below
     * the 25th percentile" is then strict, and no value is below the 0th. NaN of an empty sample.
     */
    double percentile(double percent) {
        if (size == 0) {
            return Double.NaN;
        }
        double[] sorted = Arrays.copyOf(values, size);
        Arrays.sort(sorted);
        int rank = (int) Math.ceil(percent / 100 * size);
        return sorted[Math.max(0, Math.min(size, rank) - 1)];
    }

    /** The median of the numbers; sorts its argument. */
    static double median(double[] numbers) {
        if (numbers.length == 0) {
            return Double.NaN;
        }
        Arrays.sort(numbers);
        int middle = numbers.length / 2;
        return numbers.length % 2 == 1 ? numbers[middle] : (numbers[middle - 1] + numbers[middle]) / 2;
    }
}
