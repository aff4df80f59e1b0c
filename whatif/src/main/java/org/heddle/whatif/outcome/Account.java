// SPDX-License-Identifier: Apache-2.0
package org.heddle.whatif.outcome;

import org.heddle.whatif.model.Size;

/** The measurements of a queue, of a user, or of all. */
final class Account {
    final UsageCurve usage;
    final Samples masterWaits = new Samples();
    final Samples taskWaits = new Samples();
    final Samples jobTimes = new Samples();
    long tasks;
    long preempted;
    long lostMillis;

    Account(long beginMillis, long intervalMillis) {
        usage = new UsageCurve(beginMillis, intervalMillis);
    }

    Figures figures(Size cluster, long endMillis) {
        Percentiles times = jobTimes.percentiles();
        return new Figures(
                times.count(),
                tasks,
                Math.max(usage.memoryShare(cluster, endMillis), usage.vcoresShare(cluster, endMillis)),
                masterWaits.percentiles(),
                taskWaits.percentiles(),
                times,
                preempted,
                lostMillis);
    }
}
