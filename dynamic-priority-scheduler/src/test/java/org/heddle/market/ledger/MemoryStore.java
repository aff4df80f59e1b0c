// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.ledger;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.heddle.market.ledger.book.LedgerState;
import org.heddle.market.ledger.book.LedgerStore;
import org.heddle.market.ledger.book.Transaction;
import org.heddle.market.ledger.query.ApplicationCosts;
import org.heddle.market.ledger.query.StatementPage;
import org.heddle.market.ledger.query.Statements;
import org.heddle.market.model.change.ApplicationCost;
import org.heddle.market.model.change.AuditEntry;
import org.heddle.market.model.change.StatementLine;
import org.heddle.market.model.change.StatementRange;

/** A ledger in memory. */
final class MemoryStore implements LedgerStore {
    private final List<Transaction> written = new ArrayList<>();

    @Override
    public synchronized LedgerState lead() {
        LedgerState state = new LedgerState();
        written.forEach(state::apply);
        return state;
    }

    @Override
    public synchronized void append(List<Transaction> batch) {
        written.addAll(batch);
    }

    @Override
    public synchronized long lastSequence() {
        return written.size();
    }

    @Override
    public void past(long fromMillis, Consumer<Transaction> to) {
        all().forEach(to);
    }

    private synchronized List<Transaction> all() {
        return List.copyOf(written);
    }

    @Override
    public List<AuditEntry> audit(long after, int most) {
        List<AuditEntry> entries = new ArrayList<>();
        for (Transaction transaction : all()) {
            AuditEntry entry = transaction.audit();
            if (entry != null && entry.sequence() > after && entries.size() < most) {
                entries.add(entry);
            }
        }
        return entries;
    }

    @Override
    public List<StatementLine> statement(StatementRange range) {
        StatementPage page = new StatementPage(range);
        for (Transaction transaction : all()) {
            if (range.contains(transaction.sequence(), transaction.atMillis()) && !page.isFull()) {
                page.add(Statements.of(range.queue(), Statements.of(transaction)));
            }
        }
        return page.lines();
    }

    @Override
    public List<ApplicationCost> applications(
            String queue, long fromMillis, long toMillis, ApplicationCost.By by, int most) {
        ApplicationCosts costs = new ApplicationCosts();
        all().stream()
                .filter(each -> each.atMillis() >= fromMillis && each.atMillis() < toMillis)
                .forEach(each -> costs.add(each, queue));
        return costs.list(by, most);
    }

    @Override
    public String place() {
        return "memory";
    }

    @Override
    public void close() throws IOException {}
}
