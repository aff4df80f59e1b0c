// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.accounting;

import java.util.List;

/**
 * The usage of one hour, complete or so far.
 *
 * @param startMillis start of the hour, ms since 1970
 * @param accountedUntilMillis what was used up to this time is in the rows
 */
public record HourlyUsage(long startMillis, long accountedUntilMillis, List<UsageRow> rows) {
    public static final long HOUR_MILLIS = 3_600_000;

    public HourlyUsage {
        rows = List.copyOf(rows);
    }

    /** The start of the hour that contains a time. */
    public static long startOf(long millis) {
        return Math.floorDiv(millis, HOUR_MILLIS) * HOUR_MILLIS;
    }
}
