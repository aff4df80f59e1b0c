// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.model.status;

import java.util.List;
import org.heddle.market.model.amount.Slots;
import org.heddle.market.model.amount.SpendingRate;
import org.heddle.market.quote.Stage;

/**
 * A request for the cost and the finish of work at a rate, starting in the next epoch.
 *
 * @param queue the queue that would run it
 * @param rate the rate that it would set
 * @param stages the work, one stage after the other
 * @param mostSlots slots that it could use at once; zero for no limit
 * @param withinMillis for which time to the end a rate is wanted; 0 for none
 */
public record QuoteRequest(String queue, SpendingRate rate, List<Stage> stages, Slots mostSlots, long withinMillis) {
    public static final int MOST_STAGES = 100;

    public QuoteRequest {
        if (stages.isEmpty() || stages.size() > MOST_STAGES) {
            throw new IllegalArgumentException(
                    "a job of " + stages.size() + " stages cannot be quoted; use 1 to " + MOST_STAGES);
        }
        stages = List.copyOf(stages);
    }

    /** Work that is exactly known and can be divided at will, in slot-milliseconds. */
    public QuoteRequest(String queue, SpendingRate rate, long slotMillis, Slots mostSlots) {
        this(queue, rate, List.of(fluid(slotMillis)), mostSlots, 0);
    }

    /** @throws IllegalArgumentException if there is no work */
    public static Stage fluid(long slotMillis) {
        if (slotMillis < 1) {
            throw new IllegalArgumentException("work of " + slotMillis + " slot-ms cannot be quoted; use 1 or more");
        }
        return new Stage(slotMillis, 1, 0, 1);
    }
}
