// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.http;

import org.heddle.scheduler.model.SchedulerSnapshot;

/** Where pages and REST get what they show. A scheduler that implements it is shown. */
@FunctionalInterface
public interface SnapshotSource {
    /** How things stand now, or did a moment ago. Any thread; does not hold the scheduler up. */
    SchedulerSnapshot snapshot();
}
