// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.epoch;

import java.util.random.RandomGenerator;
import org.heddle.scheduler.policy.SchedulableView;
import org.heddle.scheduler.policy.ShareOrder;
import org.heddle.scheduler.policy.ShareOrders;

/** First come, first served over all users and applications of a queue; for queues that do not pay. */
public final class ArrivalOrder implements ShareOrder, ShareOrders.Provider {
    public static final String NAME = "arrival";

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
    public boolean entitles() {
        return false;
    }

    @Override
    public double key(SchedulableView child) {
        return child.front();
    }
}
