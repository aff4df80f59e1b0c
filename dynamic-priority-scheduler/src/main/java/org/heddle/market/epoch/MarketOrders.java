// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.epoch;

import java.util.random.RandomGenerator;
import org.heddle.scheduler.policy.ShareOrder;
import org.heddle.scheduler.policy.ShareOrders;

/** Registers the market's orders with the engine as services, so that pages can name them. */
public final class MarketOrders {
    private MarketOrders() {}

    /** Provides {@link MarketOrder}. */
    public static final class Market implements ShareOrders.Provider {
        @Override
        public String name() {
            return MarketOrder.NAME;
        }

        @Override
        public ShareOrder create(RandomGenerator random) {
            return new MarketOrder();
        }
    }

    /** Provides {@link ArrivalOrder}. */
    public static final class Arrival implements ShareOrders.Provider {
        @Override
        public String name() {
            return ArrivalOrder.NAME;
        }

        @Override
        public ShareOrder create(RandomGenerator random) {
            return new ArrivalOrder();
        }
    }
}
