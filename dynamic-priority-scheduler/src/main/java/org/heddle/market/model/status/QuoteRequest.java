// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.model.status;

import org.heddle.market.model.amount.Slots;
import org.heddle.market.model.amount.SpendingRate;

/**
 * What if a queue ran this much at that rate, starting at the next epoch?
 *
 * @param queue which queue would run it
 * @param rate the rate it would set
 * @param slotMillis the work, in slot-milliseconds: tasks x their length, for tasks of one slot
 * @param mostSlots how many slots it could use at once; zero for no limit
 */
public record QuoteRequest(String queue, SpendingRate rate, long slotMillis, Slots mostSlots) {
    public QuoteRequest {
        if (slotMillis < 1) {
            throw new IllegalArgumentException(
                    "work of " + slotMillis + " slot-ms cannot be quoted; ask for 1 or more");
        }
    }
}
