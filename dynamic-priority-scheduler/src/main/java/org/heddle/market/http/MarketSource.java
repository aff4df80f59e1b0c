// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.http;

import org.heddle.market.http.config.WebLimits;
import org.heddle.market.ledger.Market;
import org.jspecify.annotations.Nullable;

/** The scheduler that has a market, for REST and pages. */
public interface MarketSource {
    /** The running market; null before it is open and after it is closed. The same object for the same market. */
    @Nullable
    Market market();

    /** When this process became the leader, wall clock; older signatures may have been used already. */
    long marketSinceMillis();

    /** Whether a queue's access list, which does not admit everybody, lets a user spend from its account. */
    default boolean maySpend(String user, String account) {
        return false;
    }

    default WebLimits webLimits() {
        return WebLimits.DEFAULT;
    }

    /** Why the market is not open, in one sentence; empty if there is no reason to report. */
    default String marketProblem() {
        return "";
    }
}
