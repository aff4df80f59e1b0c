// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.ledger.query;

import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import org.heddle.market.ledger.book.LedgerState;
import org.heddle.market.model.change.AuditEntry;

/**
 * The last entries of the audit, in bounded memory: a journal would read every bill to find the changes between them.
 * The ledger's state remembers the same entries, so they are here from the start of a process on. Thread-safe.
 */
public final class RecentAudit {
    private final int most;
    /** By sequence, without a gap. */
    private final NavigableMap<Long, AuditEntry> entries = new TreeMap<>();

    public RecentAudit() {
        this(LedgerState.REMEMBERED_REQUESTS);
    }

    RecentAudit(int most) {
        this.most = most;
    }

    /** Adds an entry; they come in order. After a gap, the entries before it are not known any more. */
    public synchronized void add(AuditEntry entry) {
        if (!entries.isEmpty() && entry.sequence() != entries.lastKey() + 1) {
            entries.clear();
        }
        entries.put(entry.sequence(), entry);
        if (entries.size() > most) {
            entries.pollFirstEntry();
        }
    }

    /** Entries with a larger sequence, oldest first; empty if some of them are older than those here. */
    public synchronized Optional<List<AuditEntry>> after(long sequence, int limit) {
        if (entries.isEmpty() || sequence < entries.firstKey() - 1) {
            return Optional.empty();
        }
        return Optional.of(
                entries.tailMap(sequence, false).values().stream().limit(limit).toList());
    }
}
