// SPDX-License-Identifier: Apache-2.0
package org.heddle.late.policy.statistics;

import java.util.Arrays;

/**
 * A growing sample of primitive numbers, with its median and percentiles. The policy uses no library for this, because
 * it depends on the JDK only.
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

    public int size() {
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
    public double percentile(double percent) {
        if (size == 0) {
            return Double.NaN;
        }
        int rank = (int) Math.ceil(percent / 100 * size);
        return select(Arrays.copyOf(values, size), Math.max(0, Math.min(size, rank) - 1));
    }

    /** The median of the numbers, NaN if there are none; changes their order. */
    public static double median(double[] numbers) {
        if (numbers.length == 0) {
            return Double.NaN;
        }
        int middle = numbers.length / 2;
        double upper = select(numbers, middle);
        if (numbers.length % 2 == 1) {
            return upper;
        }
        double lower = numbers[0];
        for (int i = 1; i < middle; i++) {
            lower = Math.max(lower, numbers[i]);
        }
        return (lower + upper) / 2;
    }

    /**
     * The number that would be at {@code rank} if the numbers were sorted; no smaller number is behind it, no larger
     * one before it (Hoare's selection; sorting took most of a scan of 5,000 tasks). No number may be NaN.
     */
    private static double select(double[] numbers, int rank) {
        int low = 0;
        int high = numbers.length - 1;
        while (low < high) {
            double pivot = numbers[(low + high) >>> 1];
            int i = low;
            int j = high;
            while (i <= j) {
                while (numbers[i] < pivot) {
                    i++;
                }
                while (numbers[j] > pivot) {
                    j--;
                }
                if (i <= j) {
                    double swapped = numbers[i];
                    numbers[i++] = numbers[j];
                    numbers[j--] = swapped;
                }
            }
            if (rank <= j) {
                high = j;
            } else if (rank >= i) {
                low = i;
            } else {
                break;
            }
        }
        return numbers[rank];
    }
}
