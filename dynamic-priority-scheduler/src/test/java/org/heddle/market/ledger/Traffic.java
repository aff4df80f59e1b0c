// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.ledger;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.heddle.market.floor.ClosedEpoch;
import org.heddle.market.floor.Funds;
import org.heddle.market.model.AuditEntry;
import org.heddle.market.model.Credits;
import org.heddle.market.model.IncomeSchedule;
import org.heddle.market.model.MarketRecord;
import org.jspecify.annotations.Nullable;

/** Transactions as a market makes them, from a seed: the n-th depends on the book before it and n alone. */
final class Traffic {
    private static final List<String> QUEUES = List.of("alice", "bob", "Sam", "sam", "x_1");

    private final long seed;

    Traffic(long seed) {
        this.seed = seed;
    }

    Transaction next(Book book) {
        SplittableRandom random = new SplittableRandom(seed * 1_000_003 + book.sequence());
        long number = book.sequence() + 1;
        long at = 1_700_000_000_000L + number * 1_000;
        if (number <= QUEUES.size()) {
            String queue = QUEUES.get((int) number - 1);
            return change(book, at, Transaction.Kind.OPENING, List.of(), new Change.QueueOpened(queue));
        }
        String queue = QUEUES.get(random.nextInt(QUEUES.size()));
        Funds has = book.queues().getOrDefault(queue, Funds.NONE);
        long amount = 1 + random.nextLong(5_000_000_000L);
        return switch (random.nextInt(8)) {
            case 0, 1, 2 -> epoch(book, at, random);
            case 3 ->
                change(
                        book,
                        at,
                        Transaction.Kind.DEPOSIT,
                        List.of(
                                new Posting(Posting.MINT, -amount, 0),
                                new Posting(queue, amount, has.balanceNanos() + amount)));
            case 4 ->
                change(
                        book,
                        at,
                        Transaction.Kind.RATE,
                        List.of(),
                        new Change.RateSet(queue, random.nextLong(9_000_000)));
            case 5 ->
                change(
                        book,
                        at,
                        Transaction.Kind.RECORD,
                        List.of(),
                        new Change.RecordPut(new MarketRecord(
                                "api-key", "k" + random.nextInt(3), random.nextBoolean() ? "" : "secret " + number)));
            case 6 ->
                change(
                        book,
                        at,
                        Transaction.Kind.SCHEDULE,
                        List.of(),
                        new Change.IncomeSet(
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
                        book,
                        at,
                        Transaction.Kind.WITHDRAWAL,
                        List.of(
                                new Posting(queue, -moved, has.balanceNanos() - moved),
                                new Posting(Posting.MINT, moved, 0)));
            }
        };
    }

    private static Transaction epoch(Book book, long at, SplittableRandom random) {
        List<ClosedEpoch.Line> bills = new ArrayList<>();
        for (String queue : QUEUES) {
            Funds has = book.queues().getOrDefault(queue, Funds.NONE);
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
                        has.balanceNanos() - charge));
            }
        }
        ClosedEpoch closed = new ClosedEpoch(1_000, 7_500_000_000L, 15_000_000_000L, 9_000_000_000L, 2, bills);
        return new Transaction(
                book.sequence() + 1,
                at,
                Transaction.Kind.EPOCH,
                "",
                List.of(),
                List.of(),
                new EpochRecord(book.epoch() + 1, at - 1_000, 20_000, closed),
                null);
    }

    private static Transaction change(
            Book book, long at, Transaction.Kind kind, List<Posting> postings, @Nullable Change... changes) {
        String key = "key-" + (book.sequence() + 1);
        AuditEntry entry = Audit.next(
                book.auditSequence() + 1,
                book.auditHash(),
                Instant.ofEpochMilli(at),
                "alice",
                "test",
                kind.name(),
                "thing",
                Map.of(Audit.KEY, key, Audit.FINGERPRINT, "f", "odd = text", "line\nbreak \u00fc"));
        List<Change> all = new ArrayList<>();
        for (Change change : changes) {
            if (change != null) {
                all.add(change);
            }
        }
        return new Transaction(book.sequence() + 1, at, kind, "why", postings, all, null, entry);
    }

    /** The book after so many transactions. */
    Book book(long transactions) {
        Book book = new Book();
        while (book.sequence() < transactions) {
            book.apply(next(book));
        }
        return book;
    }

    /** Everything that a book says, to be compared. */
    static String shown(Book book) {
        return book.sequence() + " " + book.epoch() + " " + book.unitMillis() + " " + book.mint() + " " + book.revenue()
                + " " + book.waiver() + " " + book.auditSequence() + " " + book.auditHash() + " " + book.queues() + " "
                + book.incomes() + " " + book.records() + " " + book.requests().keySet();
    }
}
