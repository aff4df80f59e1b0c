// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.ledger.query;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.heddle.market.epoch.ClosedEpoch;
import org.heddle.market.ledger.book.Transaction;
import org.heddle.market.model.amount.Credits;
import org.heddle.market.model.change.ApplicationCost;

/**
 * Adds up the costs of applications, in bounded memory. Applications beyond {@value #MOST_APPLICATIONS} are summed up
 * in one cost, like those that the ledger did not record one by one.
 */
public final class ApplicationCosts {
    private static final int MOST_APPLICATIONS = 100_000;
    private static final String OTHERS = "";

    private static final class Sum {
        private final String application;
        private final String name;
        private final String user;
        private long count;
        private long firstMillis = Long.MAX_VALUE;
        private long lastMillis = Long.MIN_VALUE;
        private long slotMillis;
        private long nanos;

        Sum(String application, String name, String user) {
            this.application = application;
            this.name = name;
            this.user = user;
        }

        void add(Sum other) {
            count += other.count;
            firstMillis = Math.min(firstMillis, other.firstMillis);
            lastMillis = Math.max(lastMillis, other.lastMillis);
            slotMillis += other.slotMillis;
            nanos += other.nanos;
        }

        ApplicationCost cost() {
            return new ApplicationCost(
                    application,
                    name,
                    user,
                    count,
                    Instant.ofEpochMilli(firstMillis),
                    Instant.ofEpochMilli(lastMillis),
                    slotMillis,
                    new Credits(nanos));
        }
    }

    private final Map<String, Sum> sums = new HashMap<>();

    /** Adds the charges of a queue's applications in a transaction. */
    public void add(Transaction transaction, String queue) {
        if (transaction.epoch() == null) {
            return;
        }
        for (ClosedEpoch.Line bill : transaction.epoch().bills()) {
            if (bill.queue().equals(queue)) {
                long at = transaction.atMillis();
                bill.applications().forEach(charge -> add(charge, at, at));
            }
        }
    }

    /**
     * Adds charges of one application.
     *
     * @param firstMillis when the first of them was written
     * @param lastMillis when the last of them was written
     */
    public void add(ClosedEpoch.ApplicationCharge charges, long firstMillis, long lastMillis) {
        String id = charges.application();
        Sum sum = sums.get(id);
        if (sum == null) {
            boolean single = !id.equals(OTHERS) && sums.size() < MOST_APPLICATIONS;
            if (single) {
                sum = sums.computeIfAbsent(id, key -> new Sum(id, charges.name(), charges.user()));
            } else {
                sum = sums.computeIfAbsent(OTHERS, key -> new Sum(OTHERS, OTHERS, OTHERS));
            }
            sum.count = single ? 1 : 0;
        }
        sum.firstMillis = Math.min(sum.firstMillis, firstMillis);
        sum.lastMillis = Math.max(sum.lastMillis, lastMillis);
        sum.slotMillis += charges.slotMillis();
        sum.nanos += charges.chargeNanos();
    }

    /**
     * The costs, largest first; those that are not listed are the last one.
     *
     * @param most limit of the listed costs, without the last one
     */
    public List<ApplicationCost> list(ApplicationCost.By by, int most) {
        Map<String, Sum> groups = by == ApplicationCost.By.NAME ? byName() : sums;
        Sum others = new Sum(OTHERS, OTHERS, OTHERS);
        List<Sum> listed = new ArrayList<>();
        groups.forEach((key, sum) -> {
            if (key.equals(OTHERS)) {
                others.add(sum);
            } else {
                listed.add(sum);
            }
        });
        listed.sort(Comparator.comparingLong((Sum sum) -> -sum.nanos)
                .thenComparing(sum -> sum.name)
                .thenComparing(sum -> sum.application)
                .thenComparing(sum -> sum.user));
        listed.stream().skip(most).forEach(others::add);
        others.count = 0;
        List<ApplicationCost> costs =
                new ArrayList<>(listed.stream().limit(most).map(Sum::cost).toList());
        if (others.nanos > 0) {
            costs.add(others.cost());
        }
        return costs;
    }

    private Map<String, Sum> byName() {
        Map<String, Sum> groups = new HashMap<>();
        sums.forEach((id, sum) -> {
            String key = id.equals(OTHERS) ? OTHERS : sum.user + '\n' + sum.name;
            groups.computeIfAbsent(key, each -> new Sum(OTHERS, sum.name, sum.user))
                    .add(sum);
        });
        return groups;
    }
}
