// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.http;

import org.heddle.market.ledger.Market;
import org.jspecify.annotations.Nullable;

/** Where REST and pages find the market. A scheduler that implements it has them. */
public interface MarketSource {
    /** The running market; null before it runs and after it was closed. The same object as long as it is the same. */
    @Nullable
    Market market();

    /** When this process took the market over, wall clock; signatures from before may have been used already. */
    long marketSinceMillis();

    /** Why there is no market though there should be one, in one sentence; empty if there is none to tell. */
    default String marketProblem() {
        return "";
    }
}
