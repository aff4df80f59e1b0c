// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.security;

import org.heddle.market.model.change.MarketRecord;
import org.jspecify.annotations.Nullable;

/**
 * The latest date among the uses that a memory has forgotten, because nothing of that date is accepted any more. When a
 * clock that was ahead is set back, such dates are accepted again; so what is not later than this one may have been
 * used, and is refused. Stored in the transaction that removes the uses, so that a restart does not lose it.
 */
final class Forgotten {
    private final String kind;
    private final String id;
    private long latest;

    /**
     * @param id of its record, among those of the uses
     * @param stored that record; null if nothing has been forgotten
     */
    Forgotten(String kind, String id, @Nullable MarketRecord stored) {
        this.kind = kind;
        this.id = id;
        this.latest = stored == null ? Long.MIN_VALUE : Long.parseLong(stored.content());
    }

    /** Forgets a use of this date, in seconds since 1970. */
    void add(long date) {
        latest = Math.max(latest, date);
    }

    /** What is not later than this may have been used: seconds since 1970. */
    long latest() {
        return latest;
    }

    MarketRecord record() {
        return new MarketRecord(kind, id, Long.toString(latest));
    }
}
