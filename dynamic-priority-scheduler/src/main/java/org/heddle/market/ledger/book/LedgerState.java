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
 * The state of the ledger after a transaction. Only {@link #apply} changes it. It refuses a transaction that breaks a
 * rule: sequence and epoch numbers have no gaps, postings add up to 0, no balance is below 0, audit entries form a
 * chain. Not thread-safe.
 */
public final class LedgerState {
    /** The number of past requests by which a repetition is recognised. */
    public static final int REMEMBERED_REQUESTS = 100_000;

    /**
     * An income schedule and its next due time.
     *
     * @param schedule the schedule
     * @param nextDueMillis the next due time, wall clock
     */
    public record Income(IncomeSchedule schedule, long nextDueMillis) {}

    /** A hash map, since every bill looks its queue up; and the same accounts by name, for lists. */
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

    // ---- reads ----

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

    /** A copy of the funds of all queues. */
    public NavigableMap<String, Funds> queues() {
        NavigableMap<String, Funds> copy = new TreeMap<>();
        forEachQueue(copy::put);
        return copy;
    }

    /** Passes all queues in the order of their names. */
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

    /** The rate unit of the remainders; 0 before the first epoch. */
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

    /** The audit entry of an earlier request; null if it is not remembered. */
    public @Nullable AuditEntry request(String principal, String key) {
        return requests.get(principal + '\n' + key);
    }

    public Map<String, AuditEntry> requests() {
        return requests;
    }

    /** The sum of all queues' balances in nano-credits. */
    public long moneySupply() {
        long sum = 0;
        for (Account account : accounts.values()) {
            sum += account.funds.balanceNanos();
        }
        return sum;
    }

    /** @throws LedgerException if the sum of all accounts is not 0, or one of them is below 0 */
    public void check() {
        BigInteger sum =
                BigInteger.valueOf(mint).add(BigInteger.valueOf(revenue)).add(BigInteger.valueOf(waiver));
        for (Map.Entry<String, Account> each : byName.entrySet()) {
            long balance = each.getValue().funds.balanceNanos();
            sum = sum.add(BigInteger.valueOf(balance));
            if (balance < 0) {
                throw new LedgerException(
                        "queue " + each.getKey() + " has " + balance + " nano-credits, which is below 0");
            }
        }
        if (sum.signum() != 0) {
            throw new LedgerException("all accounts together have " + sum + " nano-credits instead of 0");
        }
    }

    // ---- changes ----

    /**
     * Applies a transaction.
     *
     * @throws LedgerException if it breaks a rule; this state must not be used after that
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
                            + " nano-credits, which is below 0");
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
            throw new LedgerException("there is no queue " + queue + " in the ledger");
        }
        return account;
    }

    /** Moves charges from queues to revenue; the unpaid part of a bill goes to the waiver account. */
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

    /** An unpaid bill may exceed the range of numbers: the waiver account stops at its limit. */
    private long waivable(long nanos) {
        long left = Math.min(Long.MAX_VALUE / 2 + waiver, Long.MAX_VALUE / 2 - revenue);
        return Math.max(0, Math.min(nanos, left));
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

    // ---- for stores, which write the state itself ----

    /** Sets the values that are not of one account. */
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

    /** A copy of this state. */
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

    /** Converts a remainder to another rate unit, rounded down. */
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
