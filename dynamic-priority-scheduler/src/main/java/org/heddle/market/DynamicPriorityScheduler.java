// SPDX-License-Identifier: Apache-2.0
package org.heddle.market;

import org.heddle.market.yarn.MarketScheduler;

/**
 * Users steer their share of a YARN cluster with what they spend (Sandholm and Lai, 2010). Switched on by {@code
 * yarn.resourcemanager.scheduler.class = org.heddle.market.DynamicPriorityScheduler}; queues are configured by {@code
 * heddle-scheduler.xml} or added while it runs.
 */
public final class DynamicPriorityScheduler extends MarketScheduler {
    public DynamicPriorityScheduler() {
        super("DynamicPriorityScheduler");
    }
}
