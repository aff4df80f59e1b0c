// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn.accounting;

import java.io.IOException;
import java.util.List;
import org.heddle.scheduler.accounting.HourlyUsage;
import org.jspecify.annotations.Nullable;

/** Keeps hours. Its text says where. */
public interface UsageStore {
    /** Writes an hour, in place of the one that is there. */
    void write(HourlyUsage hour) throws IOException;

    /** The hour that begins at a time; null if there is none. */
    @Nullable
    HourlyUsage read(long startMillis) throws IOException;

    /** The starts of the hours that there are, from the first to before the last, in order. */
    List<Long> hours(long fromMillis, long toMillis) throws IOException;

    /** The last hour that there is, at most so many hours before a time; null if there is none. */
    @Nullable
    default HourlyUsage last(long nowMillis, int hours) throws IOException {
        long start = HourlyUsage.startOf(nowMillis);
        List<Long> starts = hours(start - hours * HourlyUsage.HOUR_MILLIS, start + HourlyUsage.HOUR_MILLIS);
        return starts.isEmpty() ? null : read(starts.get(starts.size() - 1));
    }
}
