// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.model.status;

import java.time.Instant;
import org.heddle.market.model.amount.Credits;
import org.heddle.market.model.amount.Slots;
import org.heddle.market.model.amount.SpendingRate;

/**
 * One epoch in the price history, or several that were merged.
 *
 * @param firstEpoch number of the first epoch in it
 * @param epochs how many it stands for
 * @param start when the first began
 * @param millis how long they took in all
 * @param price mean price over time, credits for one slot and rate unit
 * @param capacity mean slots of the cluster
 * @param used mean slots in use
 * @param revenue what was charged
 * @param payingQueues most queues that paid in one of them
 */
public record PricePoint(
        long firstEpoch,
        int epochs,
        Instant start,
        long millis,
        SpendingRate price,
        Slots capacity,
        Slots used,
        Credits revenue,
        int payingQueues) {}
