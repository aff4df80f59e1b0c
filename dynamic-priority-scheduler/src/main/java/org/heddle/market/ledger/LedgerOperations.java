// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.ledger;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.heddle.market.epoch.Funds;
import org.heddle.market.ledger.LedgerWriter.Draft;
import org.heddle.market.ledger.LedgerWriter.Drafter;
import org.heddle.market.ledger.book.AuditChain;
import org.heddle.market.ledger.book.LedgerChange;
import org.heddle.market.ledger.book.LedgerState;
import org.heddle.market.ledger.book.Posting;
import org.heddle.market.ledger.book.Transaction;
import org.heddle.market.model.amount.Credits;
import org.heddle.market.model.amount.SpendingRate;
import org.heddle.market.model.change.MarketException;
import org.heddle.market.model.change.MarketException.Reason;
import org.heddle.market.model.change.MarketRecord;
import org.heddle.market.model.change.Mutation;

/** The transaction of each operation, or the reason of its refusal. Pure. */
final class LedgerOperations {
    /** Nano-credits: a million credits for one slot and rate unit. */
    static final long HIGHEST_RATE = 1_000_000L * Credits.NANOS;

    static final String QUEUE_NAME = "[A-Za-z0-9_-]{1,100}";

    private static final int LONGEST_TEXT = 200;
    /** No bill of a minute comes near the overflow of a balance of this size. */
    private static final long LARGEST_BALANCE = Long.MAX_VALUE / 2;

    private LedgerOperations() {}

    static Map<String, String> details(Credits amount, String text) throws MarketException {
        if (!amount.isPositive()) {
            throw new MarketException(Reason.INVALID, "An amount of " + amount + " cannot be paid; use more than 0");
        }
        if (text.length() > LONGEST_TEXT || text.chars().anyMatch(Character::isISOControl)) {
            throw new MarketException(
                    Reason.INVALID,
                    "The text has " + text.length() + " characters; use at most " + LONGEST_TEXT + " printable ones");
        }
        Map<String, String> details = new TreeMap<>();
        details.put("amount", amount.toString());
        if (!text.isEmpty()) {
            details.put("text", text);
        }
        return details;
    }

    /** Contents may be secret, so the audit has their hashes only. */
    static Map<String, String> recordDetails(Mutation by) {
        Map<String, String> details = new TreeMap<>();
        for (MarketRecord record : by.records()) {
            details.put(
                    "record " + record.kind() + " " + shortened(record.id()),
                    record.isRemoval() ? "removed" : AuditChain.fingerprint(record.content()));
        }
        return details;
    }

    static String shortened(String text) {
        return text.length() <= 100 ? text : text.substring(0, 100) + "...";
    }

    /** Checks the last part of the name of a new queue. */
    static void checkName(String queue) throws MarketException {
        if (!queue.substring(queue.lastIndexOf('.') + 1).matches(QUEUE_NAME)) {
            throw new MarketException(
                    Reason.INVALID,
                    "'" + shortened(queue)
                            + "' cannot name a queue; use 1 to 100 characters of A-Z, a-z, 0-9, '_' and '-'");
        }
    }

    private static Funds existing(LedgerState ledger, String queue) throws MarketException {
        Funds funds = ledger.find(queue);
        if (funds == null) {
            throw unknown(queue);
        }
        return funds;
    }

    static MarketException unknown(String queue) {
        return new MarketException(
                Reason.UNKNOWN_QUEUE,
                "There is no account '" + shortened(queue)
                        + "' in this market; an administrator opens it with 'heddle market open'");
    }

    static Drafter nothing() {
        return ledger -> new Draft(Transaction.Kind.RECORD, "", List.of(), List.of(), 0);
    }

    static Drafter rate(String queue, SpendingRate rate) {
        return ledger -> {
            if (rate.nanos() > HIGHEST_RATE) {
                throw new MarketException(
                        Reason.INVALID, "A spending rate of " + rate + " is too high; set at most 1000000");
            }
            return new Draft(
                    Transaction.Kind.RATE,
                    "",
                    List.of(),
                    List.of(new LedgerChange.RateSet(queue, rate.nanos())),
                    existing(ledger, queue).balanceNanos());
        };
    }

    static Drafter deposit(String queue, Credits amount, String text) {
        return ledger -> {
            long balance = added(queue, existing(ledger, queue), amount);
            created(ledger, 0, amount);
            return new Draft(
                    Transaction.Kind.DEPOSIT,
                    text,
                    List.of(new Posting(Posting.MINT, -amount.nanos(), 0), new Posting(queue, amount.nanos(), balance)),
                    List.of(),
                    balance);
        };
    }

    /** Gives back what was charged: the credits come out of the sum of all bills. */
    static Drafter refund(String queue, Credits amount, String text) {
        return ledger -> {
            long balance = added(queue, existing(ledger, queue), amount);
            long charged = Math.max(0, ledger.revenue() + ledger.waiver());
            if (amount.nanos() > charged) {
                throw new MarketException(
                        Reason.INVALID,
                        "A refund of " + amount + " is more than all that was charged, " + new Credits(charged)
                                + "; use a smaller amount");
            }
            return new Draft(
                    Transaction.Kind.REFUND,
                    text,
                    List.of(
                            new Posting(Posting.REVENUE, -amount.nanos(), 0),
                            new Posting(queue, amount.nanos(), balance)),
                    List.of(),
                    balance);
        };
    }

    static Drafter withdrawal(String queue, Credits amount, String text) {
        return ledger -> {
            long balance = taken(queue, existing(ledger, queue), amount);
            return new Draft(
                    Transaction.Kind.WITHDRAWAL,
                    text,
                    List.of(new Posting(queue, -amount.nanos(), balance), new Posting(Posting.MINT, amount.nanos(), 0)),
                    List.of(),
                    balance);
        };
    }

    static Drafter transfer(String from, String to, Credits amount, String text) {
        return ledger -> {
            long left = taken(from, existing(ledger, from), amount);
            long more = added(to, existing(ledger, to), amount);
            if (from.equals(to)) {
                throw new MarketException(
                        Reason.INVALID, "Queue " + from + " cannot pay itself; name another queue to pay");
            }
            return new Draft(
                    Transaction.Kind.TRANSFER,
                    text,
                    List.of(new Posting(from, -amount.nanos(), left), new Posting(to, amount.nanos(), more)),
                    List.of(),
                    left);
        };
    }

    /**
     * Adds an amount to the credits that a transaction creates. @throws MarketException if the sum of all credits gets
     * too large
     */
    static long created(LedgerState ledger, long before, Credits amount) throws MarketException {
        long left = LARGEST_BALANCE + ledger.mint() - before;
        if (amount.nanos() > left) {
            throw new MarketException(
                    Reason.OVERFLOW,
                    "With " + amount + " more, the sum of all credits is above the largest that can be counted, "
                            + new Credits(LARGEST_BALANCE) + "; use a smaller amount");
        }
        return before + amount.nanos();
    }

    static long added(String queue, Funds has, Credits amount) throws MarketException {
        if (has.balanceNanos() > LARGEST_BALANCE - amount.nanos()) {
            throw new MarketException(
                    Reason.OVERFLOW,
                    "Queue " + queue + " has " + new Credits(has.balanceNanos()) + " and cannot hold " + amount
                            + " more; the limit is " + new Credits(LARGEST_BALANCE));
        }
        return has.balanceNanos() + amount.nanos();
    }

    private static long taken(String queue, Funds has, Credits amount) throws MarketException {
        if (has.balanceNanos() < amount.nanos()) {
            throw new MarketException(
                    Reason.INSUFFICIENT_CREDITS,
                    "Queue " + queue + " has " + new Credits(has.balanceNanos()) + ", which is less than " + amount
                            + "; use a smaller amount");
        }
        return has.balanceNanos() - amount.nanos();
    }

    static Drafter opening(String queue) {
        return ledger -> {
            if (ledger.find(queue) != null) {
                throw new MarketException(
                        Reason.QUEUE_EXISTS, "Queue '" + queue + "' exists already; choose another name");
            }
            return new Draft(Transaction.Kind.OPENING, "", List.of(), List.of(new LedgerChange.QueueOpened(queue)), 0);
        };
    }

    static Drafter closing(String queue) {
        return ledger -> {
            long left = existing(ledger, queue).balanceNanos();
            List<Posting> postings = new ArrayList<>();
            if (left > 0) {
                postings.add(new Posting(queue, -left, 0));
                postings.add(new Posting(Posting.MINT, left, 0));
            }
            return new Draft(
                    Transaction.Kind.CLOSING, "closed", postings, List.of(new LedgerChange.QueueClosed(queue)), left);
        };
    }
}
