// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.ledger.query;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.heddle.market.ledger.book.EpochRecord;
import org.heddle.market.ledger.book.LedgerChange;
import org.heddle.market.ledger.book.LedgerStore;
import org.heddle.market.ledger.book.Posting;
import org.heddle.market.ledger.book.Transaction;
import org.heddle.market.model.change.AccountLife;
import org.heddle.market.model.change.ApplicationCost;
import org.heddle.market.model.change.AuditEntry;
import org.heddle.market.model.change.LostAttempt;
import org.heddle.market.model.change.MarketException;
import org.heddle.market.model.change.MarketException.Reason;
import org.heddle.market.model.change.StatementLine;
import org.heddle.market.model.change.StatementRange;
import org.heddle.market.model.status.BalancePoint;
import org.heddle.market.model.status.PricePoint;

/** The past of a market: recent times from memory, older ones from the store. Thread-safe. */
public final class LedgerHistory {
    private final LedgerStore store;
    private final EpochHistory history = new EpochHistory();
    private final RecentCosts costs = new RecentCosts();
    private final RecentStatements statements = new RecentStatements();
    private final RecentAudit audits = new RecentAudit();

    public LedgerHistory(LedgerStore store) {
        this.store = store;
    }

    /**
     * Reads the recent past from the store.
     *
     * @param requests the last entries of the audit
     */
    public void read(long sinceMillis, List<AuditEntry> requests) throws IOException {
        store.past(sinceMillis, this::remember);
        requests.forEach(audits::add);
    }

    private void remember(Transaction transaction) {
        EpochRecord epoch = transaction.epoch();
        if (epoch != null) {
            costs.add(epoch);
            history.add(epoch);
        }
        if (transaction.sequence() > 0) {
            statements.add(transaction);
        }
    }

    /** Adds a stored transaction. */
    public void add(Transaction transaction) {
        remember(transaction);
        AuditEntry entry = transaction.audit();
        if (entry != null) {
            audits.add(entry);
        }
        for (Posting posting : transaction.postings()) {
            if (!Posting.isSystem(posting.account())) {
                history.balance(posting.account(), Instant.ofEpochMilli(transaction.atMillis()), posting.balance());
            }
        }
        for (LedgerChange change : transaction.changes()) {
            if (change instanceof LedgerChange.QueueClosed closed) {
                history.forget(closed.queue());
            }
        }
    }

    public List<PricePoint> prices(Instant from, Instant to, int most) {
        return history.prices(from, to, most);
    }

    public List<BalancePoint> balances(String queue, Instant from, Instant to, int most) {
        return history.balances(queue, from, to, most);
    }

    /** Mean size of the cluster over the last recorded day, so that a node that restarts counts; 0 if not known. */
    public long slotNanos() {
        Instant end = history.until();
        List<PricePoint> day = history.prices(end.minus(Duration.ofDays(1)), end, 1);
        return day.isEmpty() ? 0 : day.get(0).capacity().nanos();
    }

    /** End of the last epoch. */
    public Instant until() {
        return history.until();
    }

    /** @throws MarketException {@code STORE_OUTAGE} */
    public List<StatementLine> statement(StatementRange range) throws MarketException {
        Optional<List<StatementLine>> recent = statements.of(range);
        return recent.isPresent() ? recent.get() : read(() -> store.statement(range));
    }

    /**
     * The costs of applications in the part of a time that belongs to an account's life.
     *
     * @throws MarketException {@code STORE_OUTAGE}
     */
    public List<ApplicationCost> applications(
            AccountLife life, Instant from, Instant to, ApplicationCost.By by, int most) throws MarketException {
        String queue = life.name();
        long fromMillis = Math.max(millis(from), life.openedMillis());
        long toMillis = life.isClosed() ? Math.min(millis(to), life.closedMillis() + 1) : millis(to);
        Optional<ApplicationCosts> recent = costs.of(queue, fromMillis, toMillis);
        if (recent.isPresent()) {
            return recent.get().list(by, most);
        }
        return read(() -> store.applications(queue, fromMillis, toMillis, by, most));
    }

    /** What containers of one application cost that ended in the same epoch, nano-credits; 0 if it is not known. */
    public long cost(List<LostAttempt.Due> ended) {
        return costs.cost(ended);
    }

    /** @throws MarketException {@code STORE_OUTAGE} */
    public List<AuditEntry> audit(long after, int most) throws MarketException {
        Optional<List<AuditEntry>> recent = audits.after(after, most);
        return recent.isPresent() ? recent.get() : read(() -> store.audit(after, most));
    }

    /** The millis of an instant; instants outside the range of a long become its ends. */
    private static long millis(Instant at) {
        if (at.isBefore(Instant.EPOCH)) {
            return 0;
        }
        if (at.isAfter(Instant.ofEpochMilli(Long.MAX_VALUE))) {
            return Long.MAX_VALUE;
        }
        return at.toEpochMilli();
    }

    private interface Reading<T> {
        T read() throws IOException;
    }

    private static <T> T read(Reading<T> reading) throws MarketException {
        try {
            return reading.read();
        } catch (IOException e) {
            throw new MarketException(
                    Reason.STORE_OUTAGE, "The market's ledger cannot be read now: " + e.getMessage(), e);
        }
    }
}
