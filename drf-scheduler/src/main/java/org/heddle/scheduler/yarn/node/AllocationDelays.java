// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn.node;

import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;
import org.heddle.scheduler.snapshot.AllocationDelayReport;
import org.jspecify.annotations.Nullable;

/**
 * Histogram of the times from requests to their containers. Guarded by the scheduler's lock. {@link #add} is called for
 * each container and allocates memory once a minute.
 */
public final class AllocationDelays {
    private static final long[] BOUNDS_MILLIS = {
        10, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 30_000, 60_000, 120_000, 300_000, 600_000, 1_800_000,
        3_600_000
    };
    private static final long MINUTE = 60_000;

    private final long[] counts = new long[BOUNDS_MILLIS.length + 1];
    private long totalMillis;
    private long[] atMinute = counts.clone();
    private long[] atMinuteBefore = counts.clone();
    private long minuteBeganMillis = Long.MIN_VALUE / 2;

    void add(long delayMillis, long nowMillis) {
        turn(nowMillis);
        int found = Arrays.binarySearch(BOUNDS_MILLIS, delayMillis);
        counts[found < 0 ? -1 - found : found]++;
        totalMillis += delayMillis;
    }

    public AllocationDelayReport report(long nowMillis) {
        turn(nowMillis);
        return new AllocationDelayReport(boxed(BOUNDS_MILLIS), boxed(counts), totalMillis, recent());
    }

    private void turn(long nowMillis) {
        long age = nowMillis - minuteBeganMillis;
        if (age >= 0 && age < MINUTE) {
            return;
        }
        atMinuteBefore = age >= 0 && age < 2 * MINUTE ? atMinute : counts.clone();
        atMinute = counts.clone();
        minuteBeganMillis = nowMillis;
    }

    private static List<Long> boxed(long[] values) {
        return LongStream.of(values).boxed().toList();
    }

    private AllocationDelayReport.@Nullable Recent recent() {
        long[] since = new long[counts.length];
        Arrays.setAll(since, i -> counts[i] - atMinuteBefore[i]);
        if (LongStream.of(since).sum() == 0) {
            return null;
        }
        return new AllocationDelayReport.Recent(quantile(since, 0.5), quantile(since, 0.95), quantile(since, 0.99));
    }

    private static double quantile(long[] buckets, double part) {
        double rank = part * LongStream.of(buckets).sum();
        for (int i = 0; i < BOUNDS_MILLIS.length; i++) {
            if (rank <= buckets[i]) {
                double from = i == 0 ? 0 : BOUNDS_MILLIS[i - 1];
                return from + (BOUNDS_MILLIS[i] - from) * rank / buckets[i];
            }
            rank -= buckets[i];
        }
        return BOUNDS_MILLIS[BOUNDS_MILLIS.length - 1];
    }
}
