// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.ledger.book;

import java.math.BigInteger;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import org.heddle.market.epoch.ClosedEpoch;
import org.heddle.market.epoch.Funds;
import org.heddle.market.model.change.AuditEntry;
import org.heddle.market.model.change.IncomeSchedule;
import org.heddle.market.model.change.MarketRecord;
import org.jspecify.annotations.Nullable;

/**
 * The state of the books after some transaction. {@link #apply} is the only thing that changes it, and refuses what would
 * break a law: sequence and epoch numbers without gaps, postings that add up to 0, no queue below 0, audit entries chained.
 * Not thread-safe.
 */
public final class LedgerState {
    /** Repetitions of older requests than this many are not recognised any more. */
    public static final int REMEMBERED_REQUESTS = 100_000;

    /**
     * An income schedule and its next due time.
     *
     * @param schedule what is paid
     * @param nextDueMillis when next, wall clock
     */
    public record Income(IncomeSchedule schedule, long nextDueMillis) {}

    /** Found by hash, because every bill of an epoch looks its queue up; in order of names for whoever lists them. */
    private final Map<String, Account> accounts = new HashMap<>();

    private final NavigableMap<String, Account> byName = new TreeMap<>();

    private static final class Account {
        Funds funds;

        Account(Funds funds) {
            this.funds = funds;
        }
    }

    private final SortedMap<String, Income> incomes = new TreeMap<>();
    private final Map<String, SortedMap<String, MarketRecord>> records = new TreeMap<>();
    private final Map<String, AuditEntry> requests = new LinkedHashMap<>() {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, AuditEntry> eldest) {
            return size() > REMEMBERED_REQUESTS;
        }
    };
    private long sequence;
    private long epoch;
    private long unitMillis;
    private long mint;
    private long revenue;
    private long waiver;
    private long auditSequence;
    private String auditHash = AuditChain.FIRST;

    // ---- questions ----

    public long sequence() {
        return sequence;
    }

    /** Number of the last closed epoch; 0 before the first. */
    public long epoch() {
        return epoch;
    }

    public long auditSequence() {
        return auditSequence;
    }

    public String auditHash() {
        return auditHash;
    }

    /** All queues as they are now: a copy. */
    public NavigableMap<String, Funds> queues() {
        NavigableMap<String, Funds> copy = new TreeMap<>();
        forEachQueue(copy::put);
        return copy;
    }

    /** Shows all queues in the order of their names. */
    public void forEachQueue(BiConsumer<String, Funds> to) {
        byName.forEach((name, account) -> to.accept(name, account.funds));
    }

    public int queueCount() {
        return accounts.size();
    }

    public NavigableSet<String> queueNames() {
        return new TreeSet<>(byName.keySet());
    }

    public @Nullable Funds find(String queue) {
        Account account = accounts.get(queue);
        return account == null ? null : account.funds;
    }

    public SortedMap<String, Income> incomes() {
        return Collections.unmodifiableSortedMap(incomes);
    }

    public SortedMap<String, MarketRecord> records(String kind) {
        SortedMap<String, MarketRecord> ofKind = records.get(kind);
        return ofKind == null ? new TreeMap<>() : Collections.unmodifiableSortedMap(ofKind);
    }

    public Map<String, SortedMap<String, MarketRecord>> records() {
        return records;
    }

    /** Rate unit that the remainders are counted in; 0 before the first epoch. */
    public long unitMillis() {
        return unitMillis;
    }

    public long mint() {
        return mint;
    }

    public long revenue() {
        return revenue;
    }

    public long waiver() {
        return waiver;
    }

    /** The audit entry of a request that was made before, if it is remembered. */
    public @Nullable AuditEntry request(String principal, String key) {
        return requests.get(principal + '\n' + key);
    }

    public Map<String, AuditEntry> requests() {
        return requests;
    }

    /** Sum of all queues' balances, nano-credits. */
    public long moneySupply() {
        long sum = 0;
        for (Account account : accounts.values()) {
            sum += account.funds.balanceNanos();
        }
        return sum;
    }

    /** @throws LedgerException if all accounts together are not 0, or one is below it */
    public void check() {
        BigInteger sum =
                BigInteger.valueOf(mint).add(BigInteger.valueOf(revenue)).add(BigInteger.valueOf(waiver));
        for (Map.Entry<String, Account> each : byName.entrySet()) {
            long balance = each.getValue().funds.balanceNanos();
            sum = sum.add(BigInteger.valueOf(balance));
            if (balance < 0) {
                throw new LedgerException(
                        "queue " + each.getKey() + " has " + balance + " nano-credits, which is less than nothing");
            }
        }
        if (sum.signum() != 0) {
            throw new LedgerException("all accounts together have " + sum + " nano-credits instead of 0");
        }
    }

    // ---- changes ----

    /**
     * Books a transaction.
     *
     * @throws LedgerException if it breaks a law; this book is then of no use any more
     */
    public void apply(Transaction transaction) {
        if (transaction.sequence() != sequence + 1) {
            throw new LedgerException("transaction " + transaction.sequence() + " cannot follow " + sequence);
        }
        AuditEntry audit = transaction.audit();
        if (audit != null) {
            AuditChain.check(audit, auditSequence, auditHash);
        }
        EpochRecord closing = transaction.epoch();
        if (closing == null) {
            checkBalanced(transaction);
        } else if (closing.number() != epoch + 1) {
            throw new LedgerException("epoch " + closing.number() + " cannot follow " + epoch);
        }
        for (LedgerChange change : transaction.changes()) {
            if (change instanceof LedgerChange.QueueOpened opened) {
                if (!accounts.containsKey(opened.queue())) {
                    open(opened.queue(), Funds.NONE);
                }
            }
        }
        transaction.postings().forEach(this::post);
        if (closing != null) {
            close(closing);
        }
        transaction.changes().forEach(this::change);
        sequence = transaction.sequence();
        if (audit != null) {
            auditSequence = audit.sequence();
            auditHash = audit.hash();
            remember(audit);
        }
    }

    public void remember(AuditEntry audit) {
        String key = audit.details().get(AuditChain.KEY);
        if (key != null) {
            requests.put(audit.principal() + '\n' + key, audit);
        }
    }

    private static void checkBalanced(Transaction transaction) {
        long sum = 0;
        for (Posting posting : transaction.postings()) {
            sum = Math.addExact(sum, posting.nanos());
        }
        if (sum != 0) {
            throw new LedgerException("the postings of transaction " + transaction.sequence() + " add up to " + sum
                    + " nano-credits instead of 0");
        }
    }

    private void post(Posting posting) {
        switch (posting.account()) {
            case Posting.MINT -> mint = Math.addExact(mint, posting.nanos());
            case Posting.REVENUE -> revenue = Math.addExact(revenue, posting.nanos());
            case Posting.WAIVER -> waiver = Math.addExact(waiver, posting.nanos());
            default -> {
                Account account = existing(posting.account());
                Funds has = account.funds;
                long balance = Math.addExact(has.balanceNanos(), posting.nanos());
                if (balance < 0) {
                    throw new LedgerException("queue " + posting.account() + " would have " + balance
                            + " nano-credits, which is less than nothing");
                }
                account.funds = new Funds(balance, has.rateNanos(), has.remainder());
            }
        }
    }

    private void open(String queue, Funds funds) {
        Account account = new Account(funds);
        accounts.put(queue, account);
        byName.put(queue, account);
    }

    private Account existing(String queue) {
        Account account = accounts.get(queue);
        if (account == null) {
            throw new LedgerException("there is no queue " + queue + " in the books");
        }
        return account;
    }

    /** Charges from queues to revenue; what was billed and not paid stands against the waiver account. */
    private void close(EpochRecord closing) {
        for (ClosedEpoch.Line bill : closing.bills()) {
            Account account = existing(bill.queue());
            Funds has = account.funds;
            if (bill.chargeNanos() < 0 || bill.chargeNanos() > has.balanceNanos()) {
                throw new LedgerException("epoch " + closing.number() + " charges queue " + bill.queue() + " "
                        + bill.chargeNanos() + " of its " + has.balanceNanos() + " nano-credits");
            }
            account.funds = new Funds(has.balanceNanos() - bill.chargeNanos(), has.rateNanos(), bill.remainder());
            long waived = waivable(bill.waiverNanos());
            waiver -= waived;
            revenue = Math.addExact(revenue, bill.chargeNanos() + waived);
        }
        epoch = closing.number();
        unitMillis = closing.unitMillis();
    }

    /** What can never be paid may be beyond all numbers: the account stops there. */
    private long waivable(long nanos) {
        long room = Math.min(Long.MAX_VALUE / 2 + waiver, Long.MAX_VALUE / 2 - revenue);
        return Math.max(0, Math.min(nanos, room));
    }

    private void change(LedgerChange change) {
        if (change instanceof LedgerChange.QueueClosed closed) {
            if (existing(closed.queue()).funds.balanceNanos() != 0) {
                throw new LedgerException("queue " + closed.queue() + " is closed with credits in it");
            }
            accounts.remove(closed.queue());
            byName.remove(closed.queue());
        } else if (change instanceof LedgerChange.RateSet set) {
            Account account = existing(set.queue());
            account.funds = new Funds(account.funds.balanceNanos(), set.rateNanos(), account.funds.remainder());
        } else if (change instanceof LedgerChange.IncomeSet set) {
            incomes.put(set.schedule().id(), new Income(set.schedule(), set.nextDueMillis()));
        } else if (change instanceof LedgerChange.IncomeRemoved removed) {
            incomes.remove(removed.id());
        } else if (change instanceof LedgerChange.RecordPut put) {
            put(put.record());
        }
    }

    private void put(MarketRecord record) {
        if (!record.isRemoval()) {
            records.computeIfAbsent(record.kind(), kind -> new TreeMap<>()).put(record.id(), record);
            return;
        }
        SortedMap<String, MarketRecord> ofKind = records.get(record.kind());
        if (ofKind != null) {
            ofKind.remove(record.id());
            if (ofKind.isEmpty()) {
                records.remove(record.kind());
            }
        }
    }

    // ---- for stores, which keep the state itself ----

    /** Sets what a store has kept of the book as a whole. */
    public void restore(long lastSequence, long lastEpoch, long unit, long minted, long billed, long waived) {
        sequence = lastSequence;
        epoch = lastEpoch;
        unitMillis = unit;
        mint = minted;
        revenue = billed;
        waiver = waived;
    }

    public void restoreAudit(long lastSequence, String lastHash) {
        auditSequence = lastSequence;
        auditHash = lastHash;
    }

    public void restoreQueue(String queue, Funds funds) {
        open(queue, funds);
    }

    public void restoreIncome(Income income) {
        incomes.put(income.schedule().id(), income);
    }

    public void restoreRecord(MarketRecord record) {
        put(record);
    }

    /** Another book that is equal to this one now. */
    public LedgerState copy() {
        LedgerState copy = new LedgerState();
        forEachQueue(copy::open);
        copy.incomes.putAll(incomes);
        records.forEach((kind, ofKind) -> copy.records.put(kind, new TreeMap<>(ofKind)));
        copy.requests.putAll(requests);
        copy.restore(sequence, epoch, unitMillis, mint, revenue, waiver);
        copy.restoreAudit(auditSequence, auditHash);
        return copy;
    }

    /** Remainders are counted in parts of the rate unit: if that has changed, so do they, rounded down. */
    public long remainderIn(long newUnitMillis, long remainder) {
        if (unitMillis == 0 || unitMillis == newUnitMillis) {
            return remainder;
        }
        return BigInteger.valueOf(remainder)
                .multiply(BigInteger.valueOf(newUnitMillis))
                .divide(BigInteger.valueOf(unitMillis))
                .longValue();
    }
}
