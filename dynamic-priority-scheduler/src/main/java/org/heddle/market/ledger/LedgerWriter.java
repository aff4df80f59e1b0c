// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.ledger;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.heddle.market.ledger.book.AuditChain;
import org.heddle.market.ledger.book.LedgerChange;
import org.heddle.market.ledger.book.LedgerState;
import org.heddle.market.ledger.book.LedgerStore;
import org.heddle.market.ledger.book.Posting;
import org.heddle.market.ledger.book.Transaction;
import org.heddle.market.model.amount.Credits;
import org.heddle.market.model.change.AuditEntry;
import org.heddle.market.model.change.MarketException;
import org.heddle.market.model.change.MarketException.Reason;
import org.heddle.market.model.change.MarketRecord;
import org.heddle.market.model.change.Mutation;
import org.heddle.market.model.change.Receipt;
import org.heddle.market.model.status.StoreState;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Holds two states of the ledger: {@code ahead} with all accepted transactions, against which changes are checked, and
 * {@code stored} with those that the store has, which readers see. One thread writes; it takes all accepted
 * transactions at once, so that many changes share one sync (group commit).
 *
 * <p>While this process leads, an accepted transaction is never dropped: after a failure the writer reads the last
 * number in the store and writes the rest. Meanwhile changes by people are refused, and bills wait.
 */
final class LedgerWriter implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(LedgerWriter.class);
    private static final int LARGEST_BATCH = 1_000;
    private static final long FIRST_RETRY_MILLIS = 100;
    private static final long LAST_RETRY_MILLIS = 5_000;

    /** The content of a transaction. */
    record Draft(
            Transaction.Kind kind,
            String text,
            List<Posting> postings,
            List<LedgerChange> changes,
            long balanceNanos) {}

    /** Computes a transaction from the state with all accepted transactions. */
    interface Drafter {
        Draft draft(LedgerState ahead) throws MarketException;
    }

    private record Pending(Transaction transaction, CompletableFuture<Boolean> stored) {}

    private final LedgerStore store;
    private final LongSupplier wallMillis;
    private final Duration longestWait;
    private final Consumer<Transaction> whenStored;
    private final Object lock = new Object();

    @GuardedBy("lock")
    private final Deque<Pending> pending = new ArrayDeque<>();

    @GuardedBy("lock")
    private LedgerState ahead = new LedgerState();

    @GuardedBy("lock")
    private LedgerState stored = new LedgerState();

    @GuardedBy("lock")
    private StoreState state = StoreState.CLOSED;

    @GuardedBy("lock")
    private String problem = "";

    private @Nullable Thread writer;

    LedgerWriter(LedgerStore store, LongSupplier wallMillis, Duration longestWait, Consumer<Transaction> whenStored) {
        this.store = store;
        this.wallMillis = wallMillis;
        this.longestWait = longestWait;
        this.whenStored = whenStored;
    }

    void open() throws IOException {
        LedgerState read = store.lead();
        synchronized (lock) {
            stored = read;
            ahead = read.copy();
            state = StoreState.WORKING;
        }
        writer = new Thread(this::write, "heddle-market-writer");
        writer.setDaemon(true);
        writer.start();
    }

    // ---- reads ----

    /** Reads the state that the store has. */
    <T> T read(java.util.function.Function<LedgerState, T> question) {
        synchronized (lock) {
            return question.apply(stored);
        }
    }

    StoreState state() {
        synchronized (lock) {
            return state;
        }
    }

    String problem() {
        synchronized (lock) {
            return problem;
        }
    }

    // ---- changes ----

    /** Makes a transaction, or null for none. */
    interface Poster {
        /**
         * @param ahead the state with all accepted transactions
         * @param store the transaction is written at once while it works, later after an outage, and never in other
         *     states
         * @param waiting accepted transactions that are not yet written
         */
        @Nullable
        Transaction post(LedgerState ahead, StoreState store, int waiting);
    }

    /** Works on the state with all accepted transactions, and does not wait for the store. */
    void post(Poster work) {
        synchronized (lock) {
            Transaction transaction = work.post(ahead, state, pending.size());
            if (transaction != null && (state == StoreState.WORKING || state == StoreState.OUTAGE)) {
                accept(transaction);
            }
        }
    }

    /** Makes a change and returns when it is stored. */
    Receipt change(Mutation by, String action, String target, Map<String, String> details, Drafter drafter)
            throws MarketException {
        String fingerprint = fingerprint(action, target, details);
        CompletableFuture<Boolean> done;
        Receipt receipt;
        synchronized (lock) {
            checkWorking();
            AuditEntry before = ahead.request(by.principal(), by.idempotencyKey());
            if (before != null) {
                receipt = repeated(before, fingerprint, by);
                done = whenAllIsStored();
            } else {
                Transaction transaction = draft(by, action, target, details, fingerprint, drafter);
                accept(transaction);
                done = whenAllIsStored();
                AuditEntry entry = transaction.audit();
                receipt = entry == null ? null : receipt(entry, false);
            }
        }
        await(done);
        if (receipt == null) {
            throw new IllegalStateException("a change without an audit entry");
        }
        return receipt;
    }

    @GuardedBy("lock")
    private Transaction draft(
            Mutation by, String action, String target, Map<String, String> details, String fingerprint, Drafter drafter)
            throws MarketException {
        Draft draft = drafter.draft(ahead);
        List<LedgerChange> changes = new ArrayList<>(draft.changes());
        for (MarketRecord record : by.records()) {
            changes.add(new LedgerChange.RecordPut(record));
        }
        long now = wallMillis.getAsLong();
        Map<String, String> all = new TreeMap<>(details);
        all.put(AuditChain.KEY, by.idempotencyKey());
        all.put(AuditChain.FINGERPRINT, fingerprint);
        all.put(AuditChain.BALANCE, new Credits(draft.balanceNanos()).toString());
        all.put(AuditChain.EFFECTIVE, String.valueOf(ahead.epoch() + 2));
        AuditEntry entry = AuditChain.next(
                ahead.auditSequence() + 1,
                ahead.auditHash(),
                Instant.ofEpochMilli(now),
                by.principal(),
                by.origin(),
                action,
                target,
                all);
        long sequence = ahead.sequence() + 1;
        return new Transaction(
                sequence,
                now,
                draft.kind(),
                draft.text(),
                draft.postings(),
                AccountLives.noted(ahead, sequence, now, changes),
                null,
                entry);
    }

    @GuardedBy("lock")
    private void accept(Transaction transaction) {
        ahead.apply(transaction);
        pending.addLast(new Pending(transaction, new CompletableFuture<>()));
        lock.notifyAll();
    }

    @GuardedBy("lock")
    private CompletableFuture<Boolean> whenAllIsStored() {
        Pending last = pending.peekLast();
        return last == null ? CompletableFuture.completedFuture(true) : last.stored();
    }

    @GuardedBy("lock")
    private void checkWorking() throws MarketException {
        switch (state) {
            case WORKING -> {}
            case OUTAGE ->
                throw new MarketException(
                        Reason.STORE_OUTAGE,
                        "Nothing can be changed now, because the market's ledger cannot be written: " + problem);
            default ->
                throw new MarketException(
                        Reason.NOT_LEADER,
                        "Nothing can be changed here, because this process is not the leader of the market"
                                + (problem.isEmpty() ? "" : ": " + problem));
        }
    }

    private static String fingerprint(String action, String target, Map<String, String> details) {
        List<String> parts = new ArrayList<>(List.of(action, target));
        new TreeMap<>(details).forEach((name, value) -> {
            parts.add(name);
            parts.add(value);
        });
        return AuditChain.fingerprint(parts.toArray(String[]::new));
    }

    private static Receipt repeated(AuditEntry before, String fingerprint, Mutation by) throws MarketException {
        if (!fingerprint.equals(before.details().get(AuditChain.FINGERPRINT))) {
            throw new MarketException(
                    Reason.CONFLICT,
                    "Idempotency key " + by.idempotencyKey() + " was used by " + by.principal() + " for "
                            + before.action() + " of " + before.target() + "; use another key for another request");
        }
        return receipt(before, true);
    }

    private static Receipt receipt(AuditEntry entry, boolean repeated) {
        return new Receipt(
                entry.sequence(),
                entry.at(),
                Long.parseLong(entry.details().getOrDefault(AuditChain.EFFECTIVE, "0")),
                Credits.parse(entry.details().getOrDefault(AuditChain.BALANCE, "0")),
                repeated);
    }

    private void await(CompletableFuture<Boolean> done) throws MarketException {
        try {
            if (!done.get(longestWait.toMillis(), TimeUnit.MILLISECONDS)) {
                throw new MarketException(
                        Reason.NOT_LEADER,
                        "The change was not made, because this process is not the leader of the market any more");
            }
        } catch (TimeoutException e) {
            throw unknown(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw unknown(e);
        } catch (ExecutionException e) {
            throw new IllegalStateException("the writer completes with a value", e);
        }
    }

    private MarketException unknown(Exception e) {
        return new MarketException(
                Reason.OUTCOME_UNKNOWN,
                "The market's ledger did not answer within " + longestWait.toMillis()
                        + " ms: the change may still happen; repeat it with the same idempotency key",
                e);
    }

    // ---- the writer ----

    private void write() {
        try {
            for (List<Pending> batch = next(); !batch.isEmpty(); batch = next()) {
                store(batch);
            }
        } catch (InterruptedException e) {
            LOG.debug("The writer of the market's ledger is stopped");
        } catch (LedgerStore.FencedException e) {
            end(String.valueOf(e.getMessage()));
        } catch (RuntimeException e) {
            LOG.error("The market's ledger is closed because of a bug", e);
            end("a bug in the market's ledger: " + e);
        }
    }

    /** All pending transactions, at least one; empty when closed. */
    private List<Pending> next() throws InterruptedException {
        synchronized (lock) {
            while (pending.isEmpty() && state != StoreState.CLOSED) {
                lock.wait();
            }
            List<Pending> batch = new ArrayList<>();
            for (Pending each : pending) {
                if (batch.size() == LARGEST_BATCH) {
                    break;
                }
                batch.add(each);
            }
            return batch;
        }
    }

    private void store(List<Pending> batch) throws InterruptedException, LedgerStore.FencedException {
        List<Pending> left = batch;
        long retry = FIRST_RETRY_MILLIS;
        boolean known = true;
        while (!left.isEmpty()) {
            try {
                if (!known) {
                    long last = store.lastSequence();
                    left = confirm(left, last);
                    known = true;
                }
                if (!left.isEmpty()) {
                    store.append(left.stream().map(Pending::transaction).toList());
                    left = confirm(left, Long.MAX_VALUE);
                }
                recovered();
            } catch (LedgerStore.FencedException e) {
                throw e;
            } catch (IOException e) {
                known = false;
                outage(e);
                pause(retry);
                retry = Math.min(LAST_RETRY_MILLIS, retry * 2);
            }
        }
    }

    /** Confirms all transactions up to a number. @return the others */
    private List<Pending> confirm(List<Pending> batch, long last) {
        List<Pending> others = new ArrayList<>();
        for (Pending each : batch) {
            if (each.transaction().sequence() > last) {
                others.add(each);
                continue;
            }
            synchronized (lock) {
                stored.apply(each.transaction());
                pending.removeFirst();
            }
            whenStored.accept(each.transaction());
            each.stored().complete(true);
        }
        return others;
    }

    private void outage(IOException e) {
        synchronized (lock) {
            if (state == StoreState.WORKING) {
                LOG.error("The market's ledger at {} cannot be written: {}", store.place(), e.getMessage());
                state = StoreState.OUTAGE;
            }
            problem = String.valueOf(e.getMessage());
        }
    }

    private void recovered() {
        synchronized (lock) {
            if (state == StoreState.OUTAGE) {
                LOG.info("The market's ledger at {} can be written again", store.place());
                state = StoreState.WORKING;
                problem = "";
            }
        }
    }

    private void pause(long millis) throws InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        synchronized (lock) {
            for (long left = millis; left > 0 && state != StoreState.CLOSED; ) {
                lock.wait(left);
                left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
            }
            if (state == StoreState.CLOSED) {
                throw new InterruptedException("closed");
            }
        }
    }

    private void end(String why) {
        LOG.error("This process is not the leader of the market any more: {}", why);
        synchronized (lock) {
            state = StoreState.FENCED;
            problem = why;
            pending.forEach(each -> each.stored().complete(false));
            pending.clear();
        }
    }

    /** Writes the accepted transactions, if the store works, and closes it. */
    @Override
    public void close() throws IOException {
        synchronized (lock) {
            if (state == StoreState.WORKING || state == StoreState.OUTAGE) {
                state = StoreState.CLOSED;
            }
            lock.notifyAll();
        }
        Thread running = writer;
        try {
            if (running != null) {
                running.join(longestWait.toMillis());
                running.interrupt();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            tellWhatIsLost();
            store.close();
        }
    }

    private void tellWhatIsLost() {
        synchronized (lock) {
            if (!pending.isEmpty()) {
                LOG.error(
                        "{} changes and bills since {} were not written to the market's ledger at {} before this process"
                                + " ended, and are lost: {}",
                        pending.size(),
                        Instant.ofEpochMilli(pending.getFirst().transaction().atMillis()),
                        store.place(),
                        problem);
            }
        }
    }
}
