// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.model.change;

import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;
import org.heddle.market.model.amount.Credits;

/**
 * A regular payment of credits, divided among queues by weight without rounding loss: the parts always add up to the
 * total. Due times are counted from the start in equal steps of elapsed time, so an hourly income is paid 23 times on a
 * day of 23 hours; or they are the beginnings of calendar months.
 *
 * @param id 1 to 60 characters of {@code A-Za-z0-9._-}
 * @param total each payment, more than 0
 * @param every at least one second; of calendar months about their length
 * @param weights queue to weight, 1 or more; the others get the part of a removed queue
 * @param start the first due time; payments that would lie in the past are not made
 * @param cap limit of a balance that the income fills, and the rest is not created; zero for no limit
 * @param terms months, slots and unspent payments
 */
public record IncomeSchedule(
        String id,
        Credits total,
        Duration every,
        Map<String, Long> weights,
        Instant start,
        Credits cap,
        IncomeTerms terms) {
    public static final Duration MONTH = Duration.ofDays(30);

    public IncomeSchedule(
            String id, Credits total, Duration every, Map<String, Long> weights, Instant start, Credits cap) {
        this(id, total, every, weights, start, cap, IncomeTerms.NONE);
    }

    public IncomeSchedule with(IncomeTerms others) {
        return new IncomeSchedule(id, total, every, weights, start, cap, others);
    }

    public IncomeSchedule {
        weights = Collections.unmodifiableMap(new TreeMap<>(weights));
        if (!id.matches("[A-Za-z0-9._-]{1,60}")) {
            throw new IllegalArgumentException(
                    "'" + id + "' cannot name an income; use 1 to 60 characters of A-Z, a-z, 0-9, '.', '_' and '-'");
        }
        if (!total.isPositive() || cap.isNegative()) {
            throw new IllegalArgumentException("income " + id + " pays " + total + " up to " + cap
                    + "; the total must be more than 0 and the cap 0 or more");
        }
        if (every.compareTo(Duration.ofSeconds(1)) < 0) {
            throw new IllegalArgumentException("income " + id + " every " + every + " is too often; use 1 s or more");
        }
        if (weights.isEmpty()
                || weights.values().stream().anyMatch(weight -> weight < 1 || weight > Integer.MAX_VALUE)) {
            throw new IllegalArgumentException("income " + id + " has weights " + weights
                    + "; name at least one queue, with a weight of 1 to " + Integer.MAX_VALUE);
        }
    }
}
