// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.epoch;

import org.heddle.scheduler.policy.SchedulableView;
import org.heddle.scheduler.policy.ShareOrder;

/**
 * Who is next among the queues of a market: those that pay, by their share relative to what they are entitled to; then
 * those that pay and owe more than they are entitled to; then all others in the order in which their applications came,
 * whatever queue they are in. So capacity is never left idle, and with no credit anywhere it is first come, first served.
 *
 * <p>Applications of queues that do not pay are compared by the first of each queue that waits: while that one cannot be
 * placed on a node, a later one of the same queue may go before an earlier one of another.
 */
public final class MarketOrder implements ShareOrder {
    public static final String NAME = "market";

    /** {@code Claim} priority by which a queue is marked that pays but is not entitled to anything now. */
    public static final int OWES = 1;

    private static final long PAYS = 0;
    private static final long OWES_TIER = 1;
    private static final long BY_ARRIVAL = 2;

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public long tier(SchedulableView queue) {
        if (queue.weight(0) > 0) {
            return PAYS;
        }
        return queue.priority() == OWES ? OWES_TIER : BY_ARRIVAL;
    }

    @Override
    public double key(SchedulableView queue) {
        if (queue.weight(0) > 0) {
            return queue.standing();
        }
        return queue.priority() == OWES ? 0 : queue.front();
    }
}
