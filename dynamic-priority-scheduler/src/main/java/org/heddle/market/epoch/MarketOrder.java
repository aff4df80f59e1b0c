// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.epoch;

import java.util.random.RandomGenerator;
import org.heddle.scheduler.policy.SchedulableView;
import org.heddle.scheduler.policy.ShareOrder;
import org.heddle.scheduler.policy.ShareOrders;

/**
 * The order of the queues of a market: first the queues that pay, by what they hold relative to what they should hold
 * now ({@link MarketMeter#target}); then the queues that pay and should hold nothing now because of their debt, the
 * smallest debt first; then all others, by the arrival of their applications. So no capacity stays idle, and without
 * any credit the order is first come, first served.
 *
 * <p>Half of the next container counts as held, so that the slots that queues hold are rounded to the nearest number
 * (the divisors of Webster and Sainte-Lagu&euml;). A queue whose meter keeps no lag is compared by its normalized
 * share.
 *
 * <p>A queue that does not pay is compared by its first waiting application. While that application cannot be placed on
 * a node, a later application of the same queue may go before an earlier one of another queue.
 */
public final class MarketOrder implements ShareOrder, ShareOrders.Provider {
    public static final String NAME = "market";

    private static final long PAYS = 0;
    private static final long IN_DEBT = 1;
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
        if (queue.meter() instanceof MarketMeter meter) {
            if (!meter.pays()) {
                return BY_ARRIVAL;
            }
            return !meter.keepsLag() || meter.target() > 0 ? PAYS : IN_DEBT;
        }
        return queue.weight(0) > 0 ? PAYS : BY_ARRIVAL;
    }

    /** In nano-slots. A queue that does not pay should hold nothing. */
    @Override
    public double excess(SchedulableView queue, long[] more, double count) {
        if (queue.meter() instanceof MarketMeter meter && meter.keepsLag()) {
            return meter.held() + count * meter.slots(more) - (meter.pays() ? meter.target() : 0);
        }
        return ShareOrder.super.excess(queue, more, count);
    }

    @Override
    public boolean leavesRoom() {
        return true;
    }

    @Override
    public double key(SchedulableView queue) {
        if (queue.meter() instanceof MarketMeter meter && meter.keepsLag() && meter.pays()) {
            double target = meter.target();
            return target > 0 ? (meter.held() + meter.container() / 2) / target : meter.debtMillis();
        }
        return queue.weight(0) > 0 ? queue.normalizedShare() : queue.front();
    }
}
