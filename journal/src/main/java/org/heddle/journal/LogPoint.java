// SPDX-License-Identifier: Apache-2.0
package org.heddle.journal;

import java.io.IOException;

/**
 * The points at which the work of a log can be interrupted, or that of another store of the same records: a database
 * passes some of them, and the last two. Tests interrupt it there; otherwise nothing happens.
 */
public enum LogPoint {
    BEFORE_LEAD,
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
    PRUNED,
    BEFORE_COMMIT,
    COMMITTED;

    /** Called at every point; tests let the step before it fail there. */
    @FunctionalInterface
    public interface Watcher {
        Watcher NONE = point -> {};

        void at(LogPoint point) throws IOException;
    }
}
