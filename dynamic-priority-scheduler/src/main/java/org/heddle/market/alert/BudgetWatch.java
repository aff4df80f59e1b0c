// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.alert;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.heddle.market.model.status.QueueStatus;

/**
 * Finds accounts that have spent half of their budget, or most of it. The budget is the balance after the last payment;
 * a payment of less than a tenth of it changes nothing. No clock, no network; not thread-safe.
 */
final class BudgetWatch {
    private static final int[] PERCENTS = {90, 80, 50};
    private static final int SMALL = 10;

    /** An account that has spent so much of its budget. */
    record Spent(QueueStatus account, int percent) {}

    private record Budget(long full, long balance, int reported) {}

    private final Map<String, Budget> budgets = new HashMap<>();

    /** The accounts to report now. */
    List<Spent> passed(List<QueueStatus> accounts) {
        Set<String> names = accounts.stream().map(QueueStatus::name).collect(Collectors.toSet());
        budgets.keySet().retainAll(names);
        List<Spent> now = new ArrayList<>();
        for (QueueStatus account : accounts) {
            long balance = account.budget().nanos();
            Budget before = budgets.getOrDefault(account.name(), new Budget(0, 0, 0));
            boolean isPaid = balance - before.balance >= Math.max(1, before.full / SMALL);
            long full = isPaid ? balance : Math.max(before.full, balance);
            int reported = isPaid ? 0 : before.reported;
            int percent = spent(full, balance);
            if (percent > reported) {
                now.add(new Spent(account, percent));
                reported = percent;
            }
            budgets.put(account.name(), new Budget(full, balance, reported));
        }
        return now;
    }

    /** The largest of the percentages that is spent; 0 if none is. */
    private static int spent(long full, long balance) {
        for (int percent : PERCENTS) {
            if (full > 0 && balance <= full - (double) full * percent / 100) {
                return percent;
            }
        }
        return 0;
    }
}
