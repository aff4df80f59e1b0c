// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.http;

import org.apache.hadoop.conf.Configuration;
import org.heddle.market.http.config.WebLimits;
import org.heddle.market.ledger.Market;
import org.heddle.scheduler.yarn.HeddleScheduler;
import org.jspecify.annotations.Nullable;

/** Our scheduler beside a market that does not steer it: a ResourceManager's web server around any market. */
public final class FixedMarketScheduler extends HeddleScheduler implements MarketSource {
    private volatile @Nullable Market shown;
    private volatile long sinceMillis;
    private volatile WebLimits limits = WebLimits.DEFAULT;

    public FixedMarketScheduler() {
        super("FixedMarketScheduler");
    }

    public void show(@Nullable Market market, long since) {
        shown = market;
        sinceMillis = since;
    }

    /** Sets the limits of requests; before the first one. */
    public void limit(WebLimits others) {
        limits = others;
    }

    @Override
    public WebLimits webLimits() {
        return limits;
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
