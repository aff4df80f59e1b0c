// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.ledger;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.heddle.market.epoch.ClosedEpoch;
import org.heddle.market.epoch.Funds;
import org.heddle.market.ledger.book.AuditChain;
import org.heddle.market.ledger.book.EpochRecord;
import org.heddle.market.ledger.book.LedgerChange;
import org.heddle.market.ledger.book.LedgerState;
import org.heddle.market.ledger.book.Posting;
import org.heddle.market.ledger.book.Transaction;
import org.heddle.market.model.amount.Credits;
import org.heddle.market.model.change.AuditEntry;
import org.heddle.market.model.change.IncomeSchedule;
import org.heddle.market.model.change.MarketRecord;
import org.jspecify.annotations.Nullable;

/** Transactions like those of a market, from a seed: the n-th one depends only on the state before it and on n. */
public final class RandomTransactions {
    private static final List<String> QUEUES = List.of("alice", "bob", "Sam", "sam", "x_1");

    private final long seed;

    public RandomTransactions(long seed) {
        this.seed = seed;
    }

    public Transaction next(LedgerState ledger) {
        SplittableRandom random = new SplittableRandom(seed * 1_000_003 + ledger.sequence());
        long number = ledger.sequence() + 1;
        long at = 1_700_000_000_000L + number * 1_000;
        if (number <= QUEUES.size()) {
            String queue = QUEUES.get((int) number - 1);
            return change(ledger, at, Transaction.Kind.OPENING, List.of(), new LedgerChange.QueueOpened(queue));
        }
        String queue = QUEUES.get(random.nextInt(QUEUES.size()));
        Funds has = ledger.queues().getOrDefault(queue, Funds.NONE);
        long amount = 1 + random.nextLong(5_000_000_000L);
        return switch (random.nextInt(8)) {
            case 0, 1, 2 -> epoch(ledger, at, random);
            case 3 ->
                change(
                        ledger,
                        at,
                        Transaction.Kind.DEPOSIT,
                        List.of(
                                new Posting(Posting.MINT, -amount, 0),
                                new Posting(queue, amount, has.balanceNanos() + amount)));
            case 4 ->
                change(
                        ledger,
                        at,
                        Transaction.Kind.RATE,
                        List.of(),
                        new LedgerChange.RateSet(queue, random.nextLong(9_000_000)));
            case 5 ->
                change(
                        ledger,
                        at,
                        Transaction.Kind.RECORD,
                        List.of(),
                        new LedgerChange.RecordPut(new MarketRecord(
                                "api-key", "k" + random.nextInt(3), random.nextBoolean() ? "" : "secret " + number)));
            case 6 ->
                change(
                        ledger,
                        at,
                        Transaction.Kind.SCHEDULE,
                        List.of(),
                        new LedgerChange.IncomeSet(
                                new IncomeSchedule(
                                        "daily",
                                        new Credits(amount),
                                        Duration.ofHours(1),
                                        Map.of(queue, 1L, "another", 2L),
                                        Instant.ofEpochMilli(at),
                                        Credits.ZERO),
                                at + 3_600_000));
            default -> {
                long moved = Math.min(amount, has.balanceNanos());
                yield change(
                        ledger,
                        at,
                        Transaction.Kind.WITHDRAWAL,
                        List.of(
                                new Posting(queue, -moved, has.balanceNanos() - moved),
                                new Posting(Posting.MINT, moved, 0)));
            }
        };
    }

    private static Transaction epoch(LedgerState ledger, long at, SplittableRandom random) {
        List<ClosedEpoch.Line> bills = new ArrayList<>();
        for (String queue : QUEUES) {
            Funds has = ledger.queues().getOrDefault(queue, Funds.NONE);
            if (random.nextBoolean()) {
                long bill = random.nextLong(900_000_000L);
                long charge = Math.min(bill, has.balanceNanos());
                bills.add(new ClosedEpoch.Line(
                        queue,
                        random.nextLong(5_000_000),
                        random.nextLong(100_000),
                        charge,
                        bill - charge,
                        random.nextLong(1_000_000),
                        has.balanceNanos() - charge,
                        applications(queue, charge, at)));
            }
        }
        ClosedEpoch closed = new ClosedEpoch(1_000, 7_500_000_000L, 15_000_000_000L, 9_000_000_000L, 2, bills);
        return new Transaction(
                ledger.sequence() + 1,
                at,
                Transaction.Kind.EPOCH,
                "",
                List.of(),
                List.of(),
                new EpochRecord(ledger.epoch() + 1, at - 1_000, 20_000, closed),
                null);
    }

    /** Two runs of one job, and the sum of others. */
    private static List<ClosedEpoch.ApplicationCharge> applications(String queue, long charge, long at) {
        return charge < 3
                ? List.of()
                : List.of(
                        new ClosedEpoch.ApplicationCharge("app-" + at % 7, "nightly \u00fc", queue, 600, charge / 3),
                        new ClosedEpoch.ApplicationCharge(
                                "app-" + (7 + at % 7), "nightly \u00fc", queue, 300, charge / 3),
                        new ClosedEpoch.ApplicationCharge("", "", "", 1, charge - 2 * (charge / 3)));
    }

    private static Transaction change(
            LedgerState ledger,
            long at,
            Transaction.Kind kind,
            List<Posting> postings,
            @Nullable LedgerChange... changes) {
        String key = "key-" + (ledger.sequence() + 1);
        AuditEntry entry = AuditChain.next(
                ledger.auditSequence() + 1,
                ledger.auditHash(),
                Instant.ofEpochMilli(at),
                "alice",
                "test",
                kind.name(),
                "thing",
                Map.of(AuditChain.KEY, key, AuditChain.FINGERPRINT, "f", "odd = text", "line\nbreak \u00fc"));
        List<LedgerChange> all = new ArrayList<>();
        for (LedgerChange change : changes) {
            if (change != null) {
                all.add(change);
            }
        }
        return new Transaction(ledger.sequence() + 1, at, kind, "why", postings, all, null, entry);
    }

    /** The book after so many transactions. */
    public LedgerState stateAfter(long transactions) {
        LedgerState ledger = new LedgerState();
        while (ledger.sequence() < transactions) {
            ledger.apply(next(ledger));
        }
        return ledger;
    }

    /** Everything that a book says, to be compared. */
    public static String shown(LedgerState ledger) {
        return ledger.sequence() + " " + ledger.epoch() + " " + ledger.unitMillis() + " " + ledger.mint() + " "
                + ledger.revenue()
                + " " + ledger.waiver() + " " + ledger.auditSequence() + " " + ledger.auditHash() + " "
                + ledger.queues() + " "
                + ledger.incomes() + " " + ledger.records() + " "
                + ledger.requests().keySet();
    }
}
