// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.ledger;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import org.heddle.market.epoch.Funds;
import org.heddle.market.ledger.LedgerWriter.Draft;
import org.heddle.market.ledger.LedgerWriter.Drafter;
import org.heddle.market.ledger.book.LedgerChange;
import org.heddle.market.ledger.book.LedgerState;
import org.heddle.market.ledger.book.Posting;
import org.heddle.market.ledger.book.Transaction;
import org.heddle.market.model.amount.Slots;
import org.heddle.market.model.change.IncomeSchedule;
import org.heddle.market.model.change.IncomeTerms;
import org.heddle.market.model.change.MarketException;
import org.heddle.market.model.change.MarketException.Reason;
import org.heddle.market.model.change.MarketRecord;
import org.heddle.market.policy.IncomeSplit;
import org.heddle.market.policy.WideMath;
import org.jspecify.annotations.Nullable;

/** Incomes as transactions of the ledger. Pure. */
final class Incomes {
    /** Limit of the time for which missed payments are made up. */
    static final Duration CATCH_UP = Duration.ofDays(7);

    private static final long ARRIVAL_MILLIS = Duration.ofMinutes(1).toMillis();
    private static final long PLAUSIBLE_MILLIS = Duration.ofDays(3_660).toMillis();
    private static final long SECOND = 1_000;
    private static final long LARGEST = Long.MAX_VALUE / 2;

    private Incomes() {}

    static Map<String, String> details(IncomeSchedule schedule) {
        Map<String, String> details = new TreeMap<>(Map.of(
                "total", schedule.total().toString(),
                "every", schedule.every().toString(),
                "start", schedule.start().toString(),
                "cap", schedule.cap().toString(),
                "weights", schedule.weights().toString()));
        if (!schedule.terms().equals(IncomeTerms.NONE)) {
            details.put("terms", schedule.terms().toString());
        }
        return details;
    }

    /** The schedules by id, with their terms. */
    static List<IncomeSchedule> all(LedgerState ledger) {
        return ledger.incomes().values().stream()
                .map(income -> withTerms(ledger, income.schedule()))
                .toList();
    }

    private static IncomeSchedule withTerms(LedgerState ledger, IncomeSchedule schedule) {
        MarketRecord record = ledger.records(IncomeTerms.KIND).get(schedule.id());
        return record == null ? schedule : schedule.with(IncomeTerms.parse(record));
    }

    /**
     * Sets a schedule. Times in the past are not paid for: the schedule begins with the first due time that is still to
     * come. Only a start within the last minute, and within the last period, is paid at once, because the request took
     * some time to arrive. A schedule that replaces one with the same start and period keeps its next due time.
     *
     * @param nowMillis wall clock
     */
    static Drafter setting(IncomeSchedule schedule, long nowMillis) {
        return ledger -> {
            for (String queue : schedule.weights().keySet()) {
                if (ledger.find(queue) == null) {
                    throw new MarketException(
                            Reason.UNKNOWN_QUEUE,
                            "Income " + schedule.id() + " names queue '" + LedgerOperations.shortened(queue)
                                    + "', which this market does not have");
                }
            }
            LedgerState.Income before = ledger.incomes().get(schedule.id());
            long due;
            if (before != null && isSameClock(withTerms(ledger, before.schedule()), schedule)) {
                due = before.nextDueMillis();
            } else {
                due = firstDue(schedule, nowMillis);
            }
            return new Draft(
                    Transaction.Kind.SCHEDULE,
                    "",
                    List.of(),
                    List.of(
                            new LedgerChange.IncomeSet(schedule, due),
                            new LedgerChange.RecordPut(schedule.terms().record(schedule.id()))),
                    0);
        };
    }

    private static boolean isSameClock(IncomeSchedule one, IncomeSchedule other) {
        String zone = one.terms().zone();
        return zone.equals(other.terms().zone())
                && (!zone.isEmpty()
                        || (one.start().equals(other.start()) && one.every().equals(other.every())));
    }

    private static long firstDue(IncomeSchedule schedule, long nowMillis) throws MarketException {
        long start = schedule.start().toEpochMilli();
        if (schedule.terms().isMonthly()) {
            return schedule.terms().monthFrom(Math.max(start, nowMillis));
        }
        long every = schedule.every().toMillis();
        long late = nowMillis - start;
        if (late > every) {
            throw new MarketException(Reason.INVALID, startsTooEarly(schedule, nowMillis));
        }
        return late < Math.min(every, ARRIVAL_MILLIS) ? start : start + every;
    }

    private static String startsTooEarly(IncomeSchedule schedule, long nowMillis) {
        long start = schedule.start().toEpochMilli();
        long inMillis = start * SECOND;
        boolean seconds = Math.abs(inMillis - nowMillis) < PLAUSIBLE_MILLIS;
        String way = "use a later start, or none to start now";
        if (seconds) {
            way = "that looks like seconds instead of milliseconds: use " + inMillis + " ms ("
                    + Instant.ofEpochMilli(inMillis) + ")";
        }
        return "Income " + schedule.id() + " starts at " + start + " ms (" + schedule.start()
                + "), which is more than one period of "
                + schedule.every().toSeconds() + " s ago; " + way;
    }

    static Drafter removal(String id) {
        return ledger -> {
            if (!ledger.incomes().containsKey(id)) {
                throw new MarketException(
                        Reason.UNKNOWN_INCOME,
                        "There is no income '" + LedgerOperations.shortened(id) + "'; list them to see their ids");
            }
            return new Draft(
                    Transaction.Kind.SCHEDULE,
                    "",
                    List.of(),
                    List.of(
                            new LedgerChange.IncomeRemoved(id),
                            new LedgerChange.RecordPut(IncomeTerms.NONE.record(id))),
                    0);
        };
    }

    /**
     * The payments of the income with the earliest due time, in one transaction; null if none is due. After a time
     * without a leader, missed payments of the last {@link #CATCH_UP} are made, of older ones at most the latest.
     *
     * @param slotNanos of the cluster; while they are 0, incomes for each slot wait
     */
    static @Nullable Transaction due(LedgerState ledger, long nowMillis, LongSupplier slotNanos) {
        LedgerState.Income first = null;
        for (LedgerState.Income income : ledger.incomes().values()) {
            if (income.nextDueMillis() <= nowMillis
                    && (!withTerms(ledger, income.schedule()).terms().perSlot() || slotNanos.getAsLong() > 0)
                    && (first == null || income.nextDueMillis() < first.nextDueMillis())) {
                first = income;
            }
        }
        if (first == null) {
            return null;
        }
        IncomeSchedule schedule = withTerms(ledger, first.schedule());
        if (schedule.terms().isMonthly()) {
            return payment(
                    ledger,
                    schedule,
                    nowMillis,
                    slotNanos,
                    1,
                    1,
                    schedule.terms().monthFrom(nowMillis + 1));
        }
        long every = schedule.every().toMillis();
        long missed = (nowMillis - first.nextDueMillis()) / every + 1;
        long latest = first.nextDueMillis() + (missed - 1) * every;
        long paid = Math.min(missed, 1 + Math.max(0, latest - (nowMillis - CATCH_UP.toMillis())) / every);
        return payment(ledger, schedule, nowMillis, slotNanos, paid, missed, latest + every);
    }

    private static Transaction payment(
            LedgerState ledger,
            IncomeSchedule schedule,
            long nowMillis,
            LongSupplier slotNanos,
            long paid,
            long missed,
            long nextMillis) {
        long total = schedule.total().nanos();
        if (schedule.terms().perSlot()) {
            total = WideMath.mulDiv(total, slotNanos.getAsLong(), Slots.NANOS);
        }
        return new Transaction(
                ledger.sequence() + 1,
                nowMillis,
                Transaction.Kind.INCOME,
                "income " + schedule.id() + (paid == 1 ? "" : ", " + paid + " payments")
                        + (paid == missed ? "" : ", " + (missed - paid) + " older ones not made up for"),
                postings(ledger, schedule, total, paid),
                List.of(new LedgerChange.IncomeSet(schedule, nextMillis)),
                null,
                null);
    }

    private static List<Posting> postings(LedgerState ledger, IncomeSchedule schedule, long total, long payments) {
        Map<String, Long> weights = new TreeMap<>(schedule.weights());
        weights.keySet().removeIf(queue -> ledger.find(queue) == null);
        List<Posting> postings = new ArrayList<>();
        if (weights.isEmpty()) {
            return postings;
        }
        long created = 0;
        for (Map.Entry<String, Long> part : IncomeSplit.divide(total, weights).entrySet()) {
            Funds has = Objects.requireNonNullElse(ledger.find(part.getKey()), Funds.NONE);
            long most = schedule.cap().isPositive() ? schedule.cap().nanos() : LARGEST;
            if (schedule.terms().rollOver() != IncomeTerms.ALL) {
                long kept = WideMath.saturatedMultiply(
                        part.getValue(), 1L + schedule.terms().rollOver());
                most = Math.min(most, kept);
            }
            long due = part.getValue() > LARGEST / payments ? LARGEST : part.getValue() * payments;
            long paid = Math.max(0, Math.min(due, most - has.balanceNanos()));
            if (paid > 0 && ledger.mint() - created - paid > -LARGEST) {
                created += paid;
                postings.add(new Posting(part.getKey(), paid, has.balanceNanos() + paid));
            }
        }
        if (created > 0) {
            postings.add(new Posting(Posting.MINT, -created, 0));
        }
        return postings;
    }
}
