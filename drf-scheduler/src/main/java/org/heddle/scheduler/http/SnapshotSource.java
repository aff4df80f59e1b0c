// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.http;

import org.heddle.scheduler.model.History;
import org.heddle.scheduler.model.SchedulerSnapshot;
import org.heddle.scheduler.model.Waiting;
import org.jspecify.annotations.Nullable;

/** Where pages and REST get what they show. A scheduler that implements it is shown. */
@FunctionalInterface
public interface SnapshotSource {
    /** How things stand now, or did a moment ago. Any thread; does not hold the scheduler up. */
    SchedulerSnapshot snapshot();

    /** Shares over time. */
    default History history() {
        return History.EMPTY;
    }

    /** Why an application waits, now; null if there is no such application here. */
    default @Nullable Waiting why(String applicationId) {
        return null;
    }
}
