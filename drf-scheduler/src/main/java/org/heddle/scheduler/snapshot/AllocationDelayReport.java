// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.snapshot;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How long requests waited for their containers.
 *
 * @param boundsMillis upper bounds of the buckets, ascending; one more bucket has no bound
 * @param counts containers allocated since the start, for each bucket
 * @param totalMillis sum of all delays since the start
 * @param recent the last one to two minutes; null if no container was allocated in them
 */
public record AllocationDelayReport(
        List<Long> boundsMillis,
        List<Long> counts,
        long totalMillis,
        @Nullable Recent recent) {
    public static final AllocationDelayReport NONE = new AllocationDelayReport(List.of(), List.of(0L), 0, null);

    /**
     * Quantiles in milliseconds, interpolated within a bucket.
     *
     * @param median half of the containers came within this time
     * @param p95 95 % of them
     * @param p99 99 % of them
     */
    public record Recent(double median, double p95, double p99) {}
}
