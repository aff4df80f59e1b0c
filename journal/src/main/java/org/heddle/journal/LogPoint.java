// SPDX-License-Identifier: Apache-2.0
package org.heddle.journal;

/** The points at which the work of a log can be interrupted. Tests interrupt it there; otherwise nothing happens. */
public enum LogPoint {
    LEAD_WRITTEN,
    LEAD_SYNCED,
    LEAD_RENAMED,
    SEGMENT_CREATED,
    SEGMENT_HEADED,
    BEFORE_WRITE,
    HALF_WRITTEN,
    WRITTEN,
    SYNCED,
    CHECKED,
    SNAPSHOT_WRITTEN,
    SNAPSHOT_SYNCED,
    SNAPSHOT_RENAMED,
    PRUNED;

    /** Called at every point. */
    @FunctionalInterface
    public interface Watcher {
        Watcher NONE = point -> {};

        void at(LogPoint point);
    }
}
