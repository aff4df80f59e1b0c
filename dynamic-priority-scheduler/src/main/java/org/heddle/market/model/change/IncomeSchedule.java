// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.model.change;

import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;
import org.heddle.market.model.amount.Credits;

/**
 * Credits that come regularly, divided among queues by weight without a rounding loss: the parts add up to the total
 * every time. Due times are counted from the start in equal steps of elapsed time, so that an hourly income is paid 23
 * times on a day of 23 hours.
 *
 * @param id 1 to 60 characters of {@code A-Za-z0-9._-}
 * @param total what is paid each time, more than 0
 * @param every at least one second
 * @param weights queue to weight, 1 or more; a queue that has been removed is left out and the others get its part
 * @param start the first due time
 * @param cap a queue that has this much already is paid no further than to it, and the rest is not created; zero for no
 *     cap
 */
public record IncomeSchedule(
        String id, Credits total, Duration every, Map<String, Long> weights, Instant start, Credits cap) {
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
            throw new IllegalArgumentException("income " + id + " every " + every + " is too often; 1 s at least");
        }
        if (weights.isEmpty()
                || weights.values().stream().anyMatch(weight -> weight < 1 || weight > Integer.MAX_VALUE)) {
            throw new IllegalArgumentException("income " + id + " has weights " + weights
                    + "; name at least one queue, with a weight of 1 to " + Integer.MAX_VALUE);
        }
    }
}
