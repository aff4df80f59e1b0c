// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.http;

import org.apache.hadoop.conf.Configuration;
import org.heddle.market.ledger.Market;
import org.heddle.scheduler.yarn.HeddleScheduler;
import org.jspecify.annotations.Nullable;

/** Our scheduler beside a market that does not steer it: a ResourceManager's web server around any market. */
public final class FixedMarketScheduler extends HeddleScheduler implements MarketSource {
    private volatile @Nullable Market shown;
    private volatile long sinceMillis;

    public FixedMarketScheduler() {
        super("FixedMarketScheduler");
    }

    public void show(@Nullable Market market, long since) {
        shown = market;
        sinceMillis = since;
    }

    @Override
    public void serviceInit(Configuration conf) throws Exception {
        super.serviceInit(conf);
        MarketHooks.install(conf);
    }

    @Override
    public @Nullable Market market() {
        return shown;
    }

    @Override
    public long marketSinceMillis() {
        return sinceMillis;
    }
}
