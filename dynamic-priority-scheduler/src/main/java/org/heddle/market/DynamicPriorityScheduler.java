// SPDX-License-Identifier: Apache-2.0
package org.heddle.market;

import org.heddle.market.yarn.MarketScheduler;

/**
 * The scheduler with a market: the spending rates of the users decide their shares of a YARN cluster (Sandholm and Lai,
 * 2010). To use it, set {@code yarn.resourcemanager.scheduler.class = org.heddle.market.DynamicPriorityScheduler}. Its
 * queues come from {@code heddle-scheduler.xml}, or are added while it runs.
 */
public final class DynamicPriorityScheduler extends MarketScheduler {
    public DynamicPriorityScheduler() {
        super("DynamicPriorityScheduler");
    }
}
