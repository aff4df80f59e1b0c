// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.ledger.query;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import org.heddle.market.ledger.book.LedgerStore;
import org.heddle.market.ledger.book.Transaction;
import org.heddle.market.model.change.StatementLine;

/**
 * The recent statements of accounts that somebody looks at, in bounded memory. The first look reads the store, where a
 * journal reads every bill of that time; the console looks again every five seconds. Thread-safe.
 */
public final class RecentStatements {
    private static final long RECENT_MILLIS = Duration.ofDays(2).toMillis();
    private static final int MOST_LINES_OF_ACCOUNT = 20_000;
    private static final int MOST_LINES = 200_000;

    /** The lines of one account from a time on. */
    private static final class Known {
        private long fromMillis;
        private final List<StatementLine> lines = new ArrayList<>();
        /** Whether those of the store are here too, not only those that came since. */
        private boolean read;
        /** The last transaction that the store told of. */
        private long readUpTo;

        Known(long fromMillis) {
            this.fromMillis = fromMillis;
        }

        /** Puts what the store had before the lines that came meanwhile; some may be in both. */
        void add(List<StatementLine> earlier) {
            readUpTo = earlier.isEmpty() ? 0 : earlier.get(earlier.size() - 1).sequence();
            lines.removeIf(line -> line.sequence() <= readUpTo);
            lines.addAll(0, earlier);
            read = true;
        }

        /** Adds a line that was just stored; the store may have told of it before. */
        void add(StatementLine line) {
            if (line.sequence() > readUpTo) {
                lines.add(line);
            }
        }

        void forgetBefore(long millis) {
            if (fromMillis < millis) {
                int old = 0;
                while (old < lines.size() && lines.get(old).at().toEpochMilli() < millis) {
                    old++;
                }
                lines.subList(0, old).clear();
                fromMillis = millis;
            }
        }

        List<StatementLine> select(long from, long to, long after, int most) {
            List<StatementLine> selected = new ArrayList<>();
            for (StatementLine line : lines) {
                long at = line.at().toEpochMilli();
                // A charge and its waiver have one sequence and stay together.
                boolean full = selected.size() >= most
                        && line.sequence() != selected.get(selected.size() - 1).sequence();
                if (at >= to || full) {
                    break;
                }
                if (at >= from && line.sequence() > after) {
                    selected.add(line);
                }
            }
            return selected;
        }
    }

    private final LongSupplier wallMillis;
    /** The account that somebody looked at last is the last one. */
    private final Map<String, Known> accounts = new LinkedHashMap<>();

    public RecentStatements(LongSupplier wallMillis) {
        this.wallMillis = wallMillis;
    }

    /** As {@link LedgerStore#statement}, which is asked if the lines are not here. */
    public List<StatementLine> statement(
            LedgerStore store, String queue, long fromMillis, long toMillis, long after, int most) throws IOException {
        if (fromMillis < wallMillis.getAsLong() - RECENT_MILLIS) {
            return store.statement(queue, fromMillis, toMillis, after, most);
        }
        Known reading = new Known(fromMillis);
        synchronized (this) {
            Known known = accounts.remove(queue);
            if (known != null && known.read && known.fromMillis <= fromMillis) {
                accounts.put(queue, known);
                return known.select(fromMillis, toMillis, after, most);
            }
            accounts.put(queue, reading); // takes what is stored while the store is read
        }
        List<StatementLine> stored;
        try {
            stored = store.statement(queue, fromMillis, Long.MAX_VALUE, 0, MOST_LINES_OF_ACCOUNT);
        } catch (IOException e) {
            forget(queue, reading);
            throw e;
        }
        if (stored.size() >= MOST_LINES_OF_ACCOUNT) {
            forget(queue, reading);
            return store.statement(queue, fromMillis, toMillis, after, most);
        }
        synchronized (this) {
            reading.add(stored);
            shrink();
            return reading.select(fromMillis, toMillis, after, most);
        }
    }

    private synchronized void forget(String queue, Known reading) {
        accounts.remove(queue, reading);
    }

    /** A transaction was stored. */
    public synchronized void add(Transaction transaction) {
        if (accounts.isEmpty()) {
            return;
        }
        long oldest = wallMillis.getAsLong() - RECENT_MILLIS;
        for (Statements.Entry entry : Statements.of(transaction)) {
            Known known = accounts.get(entry.queue());
            if (known != null) {
                known.add(entry.line());
                known.forgetBefore(oldest);
            }
        }
        shrink();
    }

    /** Drops the accounts that nobody has looked at for longest. */
    private void shrink() {
        int lines =
                accounts.values().stream().mapToInt(known -> known.lines.size()).sum();
        for (Iterator<Known> oldest = accounts.values().iterator(); lines > MOST_LINES && oldest.hasNext(); ) {
            lines -= oldest.next().lines.size();
            oldest.remove();
        }
    }
}
