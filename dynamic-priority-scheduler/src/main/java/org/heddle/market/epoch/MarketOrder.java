// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.epoch;

import java.util.random.RandomGenerator;
import org.heddle.scheduler.policy.SchedulableView;
import org.heddle.scheduler.policy.ShareOrder;
import org.heddle.scheduler.policy.ShareOrders;

/**
 * The order of the queues of a market: first the queues that pay, by their use relative to their entitlement; then the
 * queues that pay and have a surplus larger than their entitlement; then all others, by the arrival of their
 * applications. So no capacity stays idle, and without any credit the order is first come, first served.
 *
 * <p>A queue that does not pay is compared by its first waiting application. While that application cannot be placed on
 * a node, a later application of the same queue may go before an earlier one of another queue.
 */
public final class MarketOrder implements ShareOrder, ShareOrders.Provider {
    public static final String NAME = "market";

    /** The priority that marks a queue which pays but is not entitled to anything now. */
    public static final int OWES = 1;

    private static final long PAYS = 0;
    private static final long OWES_TIER = 1;
    private static final long BY_ARRIVAL = 2;

    @Override
    public String name() {
        return NAME;
    }

    /** The order has no state, so one instance serves all queues. */
    @Override
    public ShareOrder create(RandomGenerator random) {
        return this;
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
            return queue.normalizedShare();
        }
        return queue.priority() == OWES ? 0 : queue.front();
    }
}
