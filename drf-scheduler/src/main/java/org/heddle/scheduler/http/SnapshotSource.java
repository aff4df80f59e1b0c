// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.http;

import org.heddle.scheduler.model.History;
import org.heddle.scheduler.model.SchedulerSnapshot;
import org.heddle.scheduler.model.Waiting;
import org.jspecify.annotations.Nullable;

/** The source of what pages and REST show; the scheduler implements it. */
@FunctionalInterface
public interface SnapshotSource {
    /** The state now, or a moment ago. Any thread; does not delay the scheduler. */
    SchedulerSnapshot snapshot();

    /** Shares over time. */
    default History history() {
        return History.EMPTY;
    }

    /** Why an application waits now; null if there is no such application. */
    default @Nullable Waiting why(String applicationId) {
        return null;
    }
}
