// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.http;

import org.heddle.scheduler.model.SchedulerSnapshot;

/** A scheduler that pages and REST can show: what {@code ResourceManager.getResourceScheduler()} has to be. */
@FunctionalInterface
public interface SnapshotSource {
    /** The latest snapshot. Called for every request from any thread, so it must not wait for a scheduling pass. */
    SchedulerSnapshot snapshot();
}
