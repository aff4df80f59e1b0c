// SPDX-License-Identifier: Apache-2.0
package org.heddle.market;

import org.apache.hadoop.conf.Configuration;
import org.heddle.market.http.MarketHooks;
import org.heddle.market.http.MarketSource;
import org.heddle.market.yarn.MarketScheduler;

/**
 * Users steer their share of a YARN cluster with what they spend (Sandholm and Lai, 2010). Switched on by {@code
 * yarn.resourcemanager.scheduler.class = org.heddle.market.DynamicPriorityScheduler}; queues are configured by {@code
 * heddle-scheduler.xml} or added while it runs.
 */
public final class DynamicPriorityScheduler extends MarketScheduler implements MarketSource {
    public DynamicPriorityScheduler() {
        super("DynamicPriorityScheduler");
    }

    @Override
    public void serviceInit(Configuration conf) throws Exception {
        super.serviceInit(conf);
        MarketHooks.install(conf);
    }
}
