// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.ledger.book;

/** The points at which a store's work can be interrupted. Tests interrupt it there; otherwise nothing happens. */
public enum FailPoint {
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

    /** Called at every point. */
    @FunctionalInterface
    public interface Watcher {
        Watcher NONE = point -> {};

        void at(FailPoint point);
    }
}
