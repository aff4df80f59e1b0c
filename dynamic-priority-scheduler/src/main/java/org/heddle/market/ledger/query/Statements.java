// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.ledger.query;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.heddle.market.epoch.ClosedEpoch;
import org.heddle.market.ledger.book.EpochRecord;
import org.heddle.market.ledger.book.Posting;
import org.heddle.market.ledger.book.Transaction;
import org.heddle.market.model.amount.Credits;
import org.heddle.market.model.amount.SpendingRate;
import org.heddle.market.model.change.StatementLine;

/** The statement lines of a transaction. */
public final class Statements {
    /** A line and the queue of its statement. */
    public record Entry(String queue, StatementLine line) {}

    private Statements() {}

    public static List<Entry> of(Transaction transaction) {
        List<Entry> entries = new ArrayList<>();
        Instant at = Instant.ofEpochMilli(transaction.atMillis());
        for (Posting posting : transaction.postings()) {
            if (!Posting.isSystem(posting.account())) {
                entries.add(new Entry(
                        posting.account(),
                        new StatementLine(
                                transaction.sequence(),
                                at,
                                kind(transaction.kind(), posting.nanos()),
                                0,
                                new Credits(posting.nanos()),
                                new Credits(posting.balance()),
                                SpendingRate.ZERO,
                                0,
                                transaction.text())));
            }
        }
        EpochRecord epoch = transaction.epoch();
        if (epoch != null) {
            for (ClosedEpoch.Line bill : epoch.bills()) {
                entries.addAll(ofBill(transaction.sequence(), transaction.atMillis(), epoch.number(), bill));
            }
        }
        return entries;
    }

    public static List<StatementLine> of(String queue, List<Entry> entries) {
        return entries.stream()
                .filter(entry -> entry.queue().equals(queue))
                .map(Entry::line)
                .toList();
    }

    /** The charge of a bill, and the waiver if there is one. */
    static List<Entry> ofBill(long sequence, long atMillis, long epoch, ClosedEpoch.Line bill) {
        List<Entry> entries = new ArrayList<>(1);
        Instant at = Instant.ofEpochMilli(atMillis);
        Credits balance = new Credits(bill.balanceNanos());
        SpendingRate rate = new SpendingRate(bill.rateNanos());
        entries.add(new Entry(
                bill.queue(),
                new StatementLine(
                        sequence,
                        at,
                        StatementLine.Kind.CHARGE,
                        epoch,
                        new Credits(-bill.chargeNanos()),
                        balance,
                        rate,
                        bill.slotMillis(),
                        "epoch " + epoch)));
        if (bill.waiverNanos() > 0) {
            entries.add(new Entry(
                    bill.queue(),
                    new StatementLine(
                            sequence,
                            at,
                            StatementLine.Kind.WAIVER,
                            epoch,
                            new Credits(bill.waiverNanos()),
                            balance,
                            rate,
                            0,
                            "could not be paid in epoch " + epoch)));
        }
        return entries;
    }

    private static StatementLine.Kind kind(Transaction.Kind kind, long nanos) {
        return switch (kind) {
            case INCOME -> StatementLine.Kind.INCOME;
            case TRANSFER -> nanos >= 0 ? StatementLine.Kind.TRANSFER_IN : StatementLine.Kind.TRANSFER_OUT;
            case WITHDRAWAL -> StatementLine.Kind.WITHDRAWAL;
            case CLOSING -> StatementLine.Kind.CLOSING;
            case REFUND -> StatementLine.Kind.REFUND;
            default -> StatementLine.Kind.DEPOSIT;
        };
    }
}
