// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.ledger.query;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.heddle.market.epoch.ClosedEpoch;
import org.heddle.market.ledger.book.EpochRecord;
import org.heddle.market.ledger.book.Transaction;
import org.heddle.market.model.change.StatementLine;
import org.heddle.market.model.change.StatementRange;

/**
 * The recent statements of all accounts, in bounded memory: a journal would read every bill of that time to find the
 * lines of one account. Thread-safe.
 */
public final class RecentStatements {
    /**
     * Bytes in units of a bill, which has 44; a day of 1,000 accounts of which a quarter is billed every 20 s has
     * 1,090,000.
     */
    private static final int MOST_SIZE = 1_500_000;

    /** The lines of one transaction. */
    private interface Lines {
        long sequence();

        long atMillis();

        /** About its bytes, in units of a bill. */
        int size();

        List<StatementLine> of(String queue);
    }

    private record Payments(long sequence, long atMillis, List<Statements.Entry> entries) implements Lines {
        @Override
        public int size() {
            return 4 * entries.size();
        }

        @Override
        public List<StatementLine> of(String queue) {
            return Statements.of(queue, entries);
        }
    }

    /** The bills of one epoch by queue, without the parts of applications. */
    private static final class Bills implements Lines {
        private static final int FIGURES = 5;

        private final long sequence;
        private final long atMillis;
        private final long epoch;
        private final String[] queues;
        private final long[] figures;

        Bills(Transaction transaction, EpochRecord closed, Map<String, String> names) {
            sequence = transaction.sequence();
            atMillis = transaction.atMillis();
            epoch = closed.number();
            queues = new String[closed.bills().size()];
            figures = new long[queues.length * FIGURES];
            int i = 0;
            int figure = 0;
            for (ClosedEpoch.Line bill : closed.closed().billsByQueue()) {
                queues[i++] = names.computeIfAbsent(bill.queue(), name -> name);
                figures[figure++] = bill.rateNanos();
                figures[figure++] = bill.slotMillis();
                figures[figure++] = bill.chargeNanos();
                figures[figure++] = bill.waiverNanos();
                figures[figure++] = bill.balanceNanos();
            }
        }

        @Override
        public long sequence() {
            return sequence;
        }

        @Override
        public long atMillis() {
            return atMillis;
        }

        @Override
        public int size() {
            return queues.length + 2;
        }

        @Override
        public List<StatementLine> of(String queue) {
            int i = Arrays.binarySearch(queues, queue);
            if (i < 0) {
                return List.of();
            }
            int at = i * FIGURES;
            ClosedEpoch.Line bill = new ClosedEpoch.Line(
                    queue,
                    figures[at],
                    figures[at + 1],
                    figures[at + 2],
                    figures[at + 3],
                    0,
                    figures[at + 4],
                    List.of());
            return Statements.of(queue, Statements.ofBill(sequence, atMillis, epoch, bill));
        }
    }

    private final int most;
    private final Deque<Lines> transactions = new ArrayDeque<>();
    /** One object for each name of a queue. */
    private final Map<String, String> names = new HashMap<>();

    private int size;
    private long last;
    /** All lines of this time or later are here. */
    private long completeFrom = Long.MAX_VALUE;

    public RecentStatements() {
        this(MOST_SIZE);
    }

    RecentStatements(int most) {
        this.most = most;
    }

    /** Adds a stored transaction; they come in order. After a gap, the time before it is not known any more. */
    public synchronized void add(Transaction transaction) {
        if (last == 0 || transaction.sequence() != last + 1) {
            transactions.clear();
            names.clear();
            size = 0;
            completeFrom = transaction.sequence() == 1 ? Long.MIN_VALUE : transaction.atMillis() + 1;
        }
        last = transaction.sequence();
        EpochRecord closed = transaction.epoch();
        List<Statements.Entry> payments = closed == null ? Statements.of(transaction) : List.of();
        if (closed == null && payments.isEmpty()) {
            return;
        }
        Lines added;
        if (closed == null) {
            added = new Payments(transaction.sequence(), transaction.atMillis(), payments);
        } else {
            added = new Bills(transaction, closed, names);
        }
        transactions.addLast(added);
        size += added.size();
        while (size > most) {
            Lines oldest = transactions.removeFirst();
            size -= oldest.size();
            completeFrom = Math.max(completeFrom, oldest.atMillis() + 1);
        }
    }

    /** As {@link org.heddle.market.ledger.book.LedgerStore#statement}; empty if not all of that time is here. */
    public Optional<List<StatementLine>> of(StatementRange range) {
        List<Lines> within = new ArrayList<>();
        synchronized (this) {
            if (range.fromMillis() < completeFrom) {
                return Optional.empty();
            }
            for (Lines one : transactions) {
                if (range.contains(one.sequence(), one.atMillis())) {
                    within.add(one);
                }
            }
        }
        StatementPage page = new StatementPage(range);
        for (Lines one : within) {
            if (page.isFull()) {
                break;
            }
            page.add(one.of(range.queue()));
        }
        return Optional.of(page.lines());
    }
}
