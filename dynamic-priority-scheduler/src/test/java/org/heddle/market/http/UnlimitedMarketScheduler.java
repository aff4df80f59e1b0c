// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.http;

import java.time.Duration;
import org.heddle.market.http.config.WebLimits;
import org.heddle.market.yarn.MarketScheduler;

/** A market for tests that send requests as fast as they are answered, and read at once after the start. */
public final class UnlimitedMarketScheduler extends MarketScheduler {
    public UnlimitedMarketScheduler() {
        super("UnlimitedMarketScheduler");
    }

    @Override
    public WebLimits webLimits() {
        return new WebLimits(
                WebLimits.DEFAULT.window(), Duration.ZERO, MarketWebFixture.AMPLE, WebLimits.DEFAULT.keepEndedKeys());
    }
}
