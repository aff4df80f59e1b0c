// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.ledger;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.heddle.market.epoch.ClosedEpoch;
import org.heddle.market.epoch.Funds;
import org.heddle.market.ledger.book.EpochRecord;
import org.heddle.market.ledger.book.LedgerChange;
import org.heddle.market.ledger.book.LedgerState;
import org.heddle.market.ledger.book.Transaction;
import org.heddle.market.model.status.StoreState;
import org.heddle.market.model.terms.MarketTerms;
import org.heddle.market.model.terms.OutagePolicy;
import org.jspecify.annotations.Nullable;

/** Writes what happens without a request into the ledger: epochs, incomes that are due, accounts of new queues. */
final class EpochBooks {
    /** Bills that wait in an outage: one of a large cluster has about 200 kB. */
    private static final int MOST_WAITING = 100;

    private final MarketTerms terms;
    private final LedgerWriter writer;
    private final LongSupplier wallMillis;
    private final Refunds refunds;
    private final AtomicLong unbilled = new AtomicLong();

    EpochBooks(MarketTerms terms, LedgerWriter writer, Refunds refunds, LongSupplier wallMillis) {
        this.terms = terms;
        this.writer = writer;
        this.refunds = refunds;
        this.wallMillis = wallMillis;
    }

    /** Epochs that this process ended while it could not bill them. */
    long unbilledEpochs() {
        return unbilled.get();
    }

    /** Opens accounts for configured queues without one; does not wait for the store. */
    void openAccounts(Collection<String> queues) {
        writer.post((ahead, state, waiting) -> {
            List<LedgerChange> opened = new ArrayList<>();
            for (String queue : new TreeSet<>(queues)) {
                if (ahead.find(queue) == null) {
                    opened.add(new LedgerChange.QueueOpened(queue));
                }
            }
            if (opened.isEmpty()) {
                return null;
            }
            long sequence = ahead.sequence() + 1;
            long now = wallMillis.getAsLong();
            return new Transaction(
                    sequence,
                    now,
                    Transaction.Kind.OPENING,
                    "queues of the configuration",
                    List.of(),
                    AccountLives.noted(ahead, sequence, now, opened),
                    null,
                    null);
        });
    }

    private Funds funds(LedgerState ledger, String queue) {
        Funds funds = ledger.find(queue);
        if (funds == null) {
            return Funds.NONE;
        }
        return new Funds(
                funds.balanceNanos(), funds.rateNanos(), ledger.remainderIn(terms.rateUnitMillis(), funds.remainder()));
    }

    /**
     * Ends the running epoch, writes its bills to the ledger and begins the next one. While the ledger cannot be
     * written, the bills wait, or the epoch goes on.
     *
     * @param work takes the scheduler's lock, changes the epoch with the given terms, and releases the lock; it returns
     *     null if the epoch goes on
     */
    void rollOver(Function<EpochTerms, @Nullable ClosedEpoch> work) {
        writer.post((ahead, state, waiting) -> {
            boolean working = state == StoreState.WORKING;
            boolean goesOn = state == StoreState.OUTAGE
                    && (terms.outage() == OutagePolicy.FREEZE_RATES || waiting >= MOST_WAITING);
            if (goesOn) {
                return null;
            }
            boolean divides = working || terms.outage() != OutagePolicy.FIFO;
            ClosedEpoch closed = work.apply(new EpochTerms(queue -> funds(ahead, queue), divides));
            if (closed != null && !working && state != StoreState.OUTAGE) {
                unbilled.incrementAndGet(); // the leader bills it, if there is one
            }
            return closed == null || closed.millis() == 0 ? null : transaction(ahead, closed);
        });
    }

    private Transaction transaction(LedgerState ahead, ClosedEpoch closed) {
        long now = wallMillis.getAsLong();
        // A queue that was closed during the epoch is not charged.
        List<ClosedEpoch.Line> bills = closed.bills().stream()
                .filter(bill -> ahead.find(bill.queue()) != null)
                .toList();
        ClosedEpoch written = closed.with(bills);
        return new Transaction(
                ahead.sequence() + 1,
                now,
                Transaction.Kind.EPOCH,
                "",
                List.of(),
                refunds.noted(ahead),
                new EpochRecord(ahead.epoch() + 1, now - closed.millis(), terms.rateUnitMillis(), written),
                null);
    }

    /**
     * Pays all incomes that are due; does not wait for the store.
     *
     * @param slotNanos of the cluster; 0 if not known; only looked up when an income for each slot is due
     */
    void payIncomes(LongSupplier slotNanos) {
        long now = wallMillis.getAsLong();
        boolean[] more = {true};
        while (more[0]) {
            more[0] = false;
            writer.post((ahead, state, waiting) -> {
                Transaction due = state == StoreState.WORKING ? Incomes.due(ahead, now, slotNanos) : null;
                more[0] = due != null;
                return due;
            });
        }
    }
}
