// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.model.status;

import java.time.Instant;
import org.heddle.market.model.amount.Credits;
import org.heddle.market.model.amount.Slots;
import org.heddle.market.model.amount.SpendingRate;

/**
 * One epoch in the price history, or several merged ones.
 *
 * @param firstEpoch number of the first epoch
 * @param epochs number of epochs
 * @param start of the first one
 * @param millis their length in all
 * @param price mean price over time, credits for one slot and rate unit
 * @param capacity mean slots of the cluster
 * @param used mean slots in use
 * @param revenue sum of the charges
 * @param payingQueues the largest number of queues that paid in one of them
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
