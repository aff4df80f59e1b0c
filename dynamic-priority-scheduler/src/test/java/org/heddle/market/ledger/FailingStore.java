// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.ledger;

import java.io.IOException;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.heddle.market.ledger.book.LedgerState;
import org.heddle.market.ledger.book.LedgerStore;
import org.heddle.market.ledger.book.Transaction;
import org.heddle.market.model.change.ApplicationCost;
import org.heddle.market.model.change.AuditEntry;
import org.heddle.market.model.change.StatementLine;
import org.heddle.market.model.change.StatementRange;

/** A store that writes and then loses its answer while it is told to. */
final class FailingStore implements LedgerStore {
    private final LedgerStore store;
    private final BooleanSupplier broken;

    FailingStore(LedgerStore store, BooleanSupplier broken) {
        this.store = store;
        this.broken = broken;
    }

    private void answer() throws IOException {
        if (broken.getAsBoolean()) {
            throw new IOException("no space left on device");
        }
    }

    @Override
    public LedgerState lead() throws IOException {
        return store.lead();
    }

    @Override
    public void append(List<Transaction> batch) throws IOException {
        store.append(batch);
        answer();
    }

    @Override
    public long lastSequence() throws IOException {
        answer();
        return store.lastSequence();
    }

    @Override
    public void past(long fromMillis, Consumer<Transaction> to) throws IOException {
        store.past(fromMillis, to);
    }

    @Override
    public List<AuditEntry> audit(long after, int most) throws IOException {
        return store.audit(after, most);
    }

    @Override
    public List<StatementLine> statement(StatementRange range) throws IOException {
        return store.statement(range);
    }

    @Override
    public List<ApplicationCost> applications(
            String queue, long fromMillis, long toMillis, ApplicationCost.By by, int most) throws IOException {
        return store.applications(queue, fromMillis, toMillis, by, most);
    }

    @Override
    public String place() {
        return store.place();
    }

    @Override
    public void close() throws IOException {
        store.close();
    }
}
