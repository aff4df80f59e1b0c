// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.model.status;

import org.heddle.market.model.amount.Slots;
import org.heddle.market.model.amount.SpendingRate;

/**
 * A request for the cost of work at a rate, starting in the next epoch.
 *
 * @param queue the queue that would run it
 * @param rate the rate that it would set
 * @param slotMillis the work in slot-milliseconds: tasks x their length, for tasks of one slot
 * @param mostSlots slots that it could use at once; zero for no limit
 */
public record QuoteRequest(String queue, SpendingRate rate, long slotMillis, Slots mostSlots) {
    public QuoteRequest {
        if (slotMillis < 1) {
            throw new IllegalArgumentException("work of " + slotMillis + " slot-ms cannot be quoted; use 1 or more");
        }
    }
}
