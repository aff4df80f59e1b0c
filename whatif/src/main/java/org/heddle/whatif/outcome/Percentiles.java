// SPDX-License-Identifier: Apache-2.0
package org.heddle.whatif.outcome;

import java.util.Arrays;

/**
 * The mean, the middle and the tail of a set of times.
 *
 * @param count how many there are
 * @param meanMillis their mean in milliseconds, rounded down; 0 if there is none
 * @param p50Millis half of them are at most so long
 * @param p99Millis 99 of 100 are at most so long
 */
public record Percentiles(int count, long meanMillis, long p50Millis, long p99Millis) {
    /** By the nearest rank: the smallest value with at least that part of all values at or below it. */
    public static Percentiles of(long[] values, int count) {
        if (count == 0) {
            return new Percentiles(0, 0, 0, 0);
        }
        long[] sorted = Arrays.copyOf(values, count);
        Arrays.sort(sorted);
        long mean = (long) Arrays.stream(sorted).average().orElse(0);
        return new Percentiles(count, mean, sorted[rank(count, 50)], sorted[rank(count, 99)]);
    }

    private static int rank(int count, int percent) {
        return (int) (((long) count * percent + 99) / 100) - 1;
    }
}
