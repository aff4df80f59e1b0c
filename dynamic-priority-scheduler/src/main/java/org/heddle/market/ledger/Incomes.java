// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.ledger;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.heddle.market.epoch.Funds;
import org.heddle.market.ledger.LedgerWriter.Draft;
import org.heddle.market.ledger.LedgerWriter.Drafter;
import org.heddle.market.ledger.book.LedgerChange;
import org.heddle.market.ledger.book.LedgerState;
import org.heddle.market.ledger.book.Posting;
import org.heddle.market.ledger.book.Transaction;
import org.heddle.market.model.change.IncomeSchedule;
import org.heddle.market.model.change.MarketException;
import org.heddle.market.model.change.MarketException.Reason;
import org.heddle.market.policy.IncomeSplit;
import org.jspecify.annotations.Nullable;

/** Incomes as transactions of the ledger. Pure. */
final class Incomes {
    private Incomes() {}

    static Map<String, String> details(IncomeSchedule schedule) {
        return new TreeMap<>(Map.of(
                "total", schedule.total().toString(),
                "every", schedule.every().toString(),
                "start", schedule.start().toString(),
                "cap", schedule.cap().toString(),
                "weights", schedule.weights().toString()));
    }

    /** A schedule begins with its first due time that is still to come: what lies in the past is not paid. */
    static Drafter setting(IncomeSchedule schedule) {
        return ledger -> {
            for (String queue : schedule.weights().keySet()) {
                if (ledger.find(queue) == null) {
                    throw new MarketException(
                            Reason.UNKNOWN_QUEUE,
                            "Income " + schedule.id() + " names queue '" + LedgerOperations.shortened(queue)
                                    + "', which this market does not have");
                }
            }
            return new Draft(
                    Transaction.Kind.SCHEDULE,
                    "",
                    List.of(),
                    List.of(new LedgerChange.IncomeSet(
                            schedule, schedule.start().toEpochMilli())),
                    0);
        };
    }

    static Drafter removal(String id) {
        return ledger -> {
            if (!ledger.incomes().containsKey(id)) {
                throw new MarketException(
                        Reason.UNKNOWN_INCOME,
                        "There is no income '" + LedgerOperations.shortened(id) + "'; list them to see their ids");
            }
            return new Draft(Transaction.Kind.SCHEDULE, "", List.of(), List.of(new LedgerChange.IncomeRemoved(id)), 0);
        };
    }

    /** The payment with the earliest due time; null if none is due. */
    static @Nullable Transaction due(LedgerState ledger, long nowMillis) {
        LedgerState.Income first = null;
        for (LedgerState.Income income : ledger.incomes().values()) {
            if (income.nextDueMillis() <= nowMillis
                    && (first == null || income.nextDueMillis() < first.nextDueMillis())) {
                first = income;
            }
        }
        if (first == null) {
            return null;
        }
        IncomeSchedule schedule = first.schedule();
        return new Transaction(
                ledger.sequence() + 1,
                nowMillis,
                Transaction.Kind.INCOME,
                "income " + schedule.id(),
                postings(ledger, schedule),
                List.of(new LedgerChange.IncomeSet(
                        schedule, first.nextDueMillis() + schedule.every().toMillis())),
                null,
                null);
    }

    private static List<Posting> postings(LedgerState ledger, IncomeSchedule schedule) {
        Map<String, Long> weights = new TreeMap<>(schedule.weights());
        weights.keySet().removeIf(queue -> ledger.find(queue) == null);
        List<Posting> postings = new ArrayList<>();
        if (weights.isEmpty()) {
            return postings;
        }
        long created = 0;
        for (Map.Entry<String, Long> part :
                IncomeSplit.divide(schedule.total().nanos(), weights).entrySet()) {
            Funds has = Objects.requireNonNullElse(ledger.find(part.getKey()), Funds.NONE);
            long most = schedule.cap().isPositive() ? schedule.cap().nanos() : Long.MAX_VALUE / 2;
            long paid = Math.max(0, Math.min(part.getValue(), most - has.balanceNanos()));
            if (paid > 0 && ledger.mint() - created - paid > -Long.MAX_VALUE / 2) {
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
