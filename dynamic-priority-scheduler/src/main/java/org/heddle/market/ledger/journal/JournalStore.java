// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.ledger.journal;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.heddle.journal.LocalStorage;
import org.heddle.journal.LogPoint;
import org.heddle.journal.LogStorage;
import org.heddle.journal.WriteAheadLog;
import org.heddle.market.ledger.book.EpochRecord;
import org.heddle.market.ledger.book.LedgerException;
import org.heddle.market.ledger.book.LedgerState;
import org.heddle.market.ledger.book.LedgerStateCodec;
import org.heddle.market.ledger.book.LedgerStore;
import org.heddle.market.ledger.book.Transaction;
import org.heddle.market.ledger.book.TransactionCodec;
import org.heddle.market.ledger.query.ApplicationCosts;
import org.heddle.market.ledger.query.StatementPage;
import org.heddle.market.ledger.query.Statements;
import org.heddle.market.model.change.ApplicationCost;
import org.heddle.market.model.change.AuditEntry;
import org.heddle.market.model.change.StatementLine;
import org.heddle.market.model.change.StatementRange;

/**
 * The ledger in a directory of this machine or of HDFS, without other software: a write-ahead log whose n-th record is
 * the transaction with the number n, and snapshots of the state.
 */
public final class JournalStore implements LedgerStore {
    private static final long SEGMENT_BYTES = 64L << 20;
    private static final int SNAPSHOT_AFTER = 10_000;

    private final LogStorage storage;
    private final String clusterId;
    private final WriteAheadLog log;
    /** The written state, for snapshots. */
    private LedgerState ledger = new LedgerState();

    private int sinceSnapshot;
    private int snapshotAfter = SNAPSHOT_AFTER;
    private Duration keep = Duration.ZERO;
    private LongSupplier wallMillis = () -> 0;

    /**
     * @param storage closed with this store
     * @param clusterId the ledger of another cluster is refused
     */
    public JournalStore(LogStorage storage, String clusterId) {
        this.storage = storage;
        this.clusterId = clusterId;
        log = new WriteAheadLog(storage, owner(), this::mayDelete);
    }

    /** In a directory of this machine, which is created if it does not exist. */
    public JournalStore(Path directory, String clusterId) {
        this(new LocalStorage(directory), clusterId);
    }

    /** @param locked false leaves out the lock, for tests of the fencing */
    public JournalStore(Path directory, String clusterId, boolean locked, LogPoint.Watcher watcher) {
        this(new LocalStorage(directory, locked, watcher), clusterId);
    }

    private String owner() {
        return "the ledger of cluster " + clusterId;
    }

    /**
     * Deletes files whose transactions are all older than a time; called before {@link #lead}.
     *
     * @param time zero for never
     * @param clock wall clock, milliseconds since 1970
     */
    public JournalStore keeping(Duration time, LongSupplier clock) {
        keep = time;
        wallMillis = clock;
        return this;
    }

    private boolean mayDelete(long modifiedMillis) {
        return !keep.isZero() && modifiedMillis < wallMillis.getAsLong() - keep.toMillis();
    }

    /** Begins a new file after a number of transactions; for tests. */
    public JournalStore rollingAfter(int transactions) {
        snapshotAfter = transactions;
        return this;
    }

    @Override
    public String place() {
        return storage.place();
    }

    // ---- writing ----

    @Override
    public LedgerState lead() throws IOException {
        open();
        return ledger.copy();
    }

    private void open() throws IOException {
        LedgerState[] state = {new LedgerState()};
        try {
            log.open(new WriteAheadLog.Replay() {
                @Override
                public void snapshot(long number, byte[] content) throws IOException {
                    state[0] = LedgerStateCodec.read(new DataInputStream(new ByteArrayInputStream(content)));
                }

                @Override
                public void record(long number, byte[] body) throws IOException {
                    state[0].apply(transaction(body));
                }
            });
            state[0].check();
        } catch (LedgerException e) {
            throw new IOException(
                    "the ledger in " + place() + " is damaged: " + e.getMessage() + "; restore it from a backup", e);
        } catch (org.heddle.journal.FencedException e) {
            throw fenced(e);
        }
        ledger = state[0];
    }

    private static Transaction transaction(byte[] body) throws IOException {
        return TransactionCodec.read(new DataInputStream(new ByteArrayInputStream(body)));
    }

    private static LedgerStore.FencedException fenced(org.heddle.journal.FencedException e) {
        LedgerStore.FencedException fenced = new LedgerStore.FencedException("the ledger in " + e.getMessage());
        fenced.initCause(e);
        return fenced;
    }

    @Override
    public void append(List<Transaction> batch) throws IOException {
        List<byte[]> bodies = new ArrayList<>(batch.size());
        for (Transaction transaction : batch) {
            ByteArrayOutputStream body = new ByteArrayOutputStream();
            TransactionCodec.write(transaction, new DataOutputStream(body));
            bodies.add(body.toByteArray());
        }
        try {
            log.append(bodies, true);
            batch.forEach(ledger::apply);
            sinceSnapshot += batch.size();
            if (log.size() > SEGMENT_BYTES || sinceSnapshot >= snapshotAfter) {
                snapshot();
            }
        } catch (org.heddle.journal.FencedException e) {
            throw fenced(e);
        }
    }

    /** Stores the whole state, so that older files need not be read again; they stay for statements and the audit. */
    void snapshot() throws IOException {
        ByteArrayOutputStream content = new ByteArrayOutputStream();
        LedgerStateCodec.write(ledger, new DataOutputStream(content));
        log.snapshot(content.toByteArray());
        sinceSnapshot = 0;
    }

    @Override
    public long lastSequence() throws IOException {
        open();
        return ledger.sequence();
    }

    // ---- reading ----

    private void scan(long after, Predicate<Transaction> to) throws IOException {
        log.scan(after, (number, body) -> to.test(transaction(body)));
    }

    @Override
    public void past(long fromMillis, Consumer<Transaction> to) throws IOException {
        boolean[] begun = {false};
        scan(log.before(fromMillis), transaction -> {
            EpochRecord epoch = transaction.epoch();
            long begin = epoch == null ? transaction.atMillis() : epoch.startMillis();
            begun[0] |= begin >= fromMillis;
            if (begun[0]) {
                to.accept(transaction);
            }
            return true;
        });
    }

    @Override
    public List<AuditEntry> audit(long after, int most) throws IOException {
        List<AuditEntry> entries = new ArrayList<>();
        scan(log.before(0), transaction -> {
            AuditEntry entry = transaction.audit();
            if (entry != null && entry.sequence() > after && entries.size() < most) {
                entries.add(entry);
            }
            return entries.size() < most;
        });
        return entries;
    }

    @Override
    public List<StatementLine> statement(StatementRange range) throws IOException {
        StatementPage page = new StatementPage(range);
        scan(Math.max(range.after(), log.before(range.fromMillis())), transaction -> {
            if (range.contains(transaction.sequence(), transaction.atMillis())) {
                page.add(Statements.of(range.queue(), Statements.of(transaction)));
            }
            return !page.isFull()
                    && transaction.atMillis() < range.toMillis()
                    && transaction.sequence() < range.before();
        });
        return page.lines();
    }

    @Override
    public List<ApplicationCost> applications(
            String queue, long fromMillis, long toMillis, ApplicationCost.By by, int most) throws IOException {
        ApplicationCosts costs = new ApplicationCosts();
        scan(log.before(fromMillis), transaction -> {
            if (transaction.atMillis() >= fromMillis && transaction.atMillis() < toMillis) {
                costs.add(transaction, queue);
            }
            return transaction.atMillis() < toMillis;
        });
        return costs.list(by, most);
    }

    @Override
    public void close() throws IOException {
        log.close();
    }
}
