// SPDX-License-Identifier: Apache-2.0
package org.heddle.late.policy;

import java.util.Arrays;

/** A growing sample of numbers without boxing. */
final class Sample {
    private double[] values;
    private int size;

    Sample(int expected) {
        values = new double[Math.max(4, expected)];
    }

    void add(double value) {
        if (size == values.length) {
            values = Arrays.copyOf(values, 2 * size);
        }
        values[size++] = value;
    }

    int size() {
        return size;
    }

    double median() {
        return Quantiles.median(Arrays.copyOf(values, size));
    }

    double percentile(double percent) {
        return Quantiles.percentile(Arrays.copyOf(values, size), percent);
    }
}
