// SPDX-License-Identifier: Apache-2.0
package com.example;

import java.util.random.RandomGenerator;
import org.heddle.scheduler.policy.SchedulableView;
import org.heddle.scheduler.policy.ShareOrder;
import org.heddle.scheduler.policy.ShareOrders;

/** Whoever came last is served first: the opposite of fifo, so that nobody takes one of ours for it. */
public final class LatestOrder implements ShareOrder, ShareOrders.Provider {
    @Override
    public String name() {
        return "latest";
    }

    @Override
    public ShareOrder create(RandomGenerator random) {
        return new LatestOrder();
    }

    @Override
    public double key(SchedulableView child) {
        return -child.sequence();
    }
}
