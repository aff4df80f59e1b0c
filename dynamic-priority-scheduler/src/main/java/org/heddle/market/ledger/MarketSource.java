// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.ledger;

import org.jspecify.annotations.Nullable;

/** Whoever runs a market; the scheduler does. */
public interface MarketSource {
    /** The running market; null while there is none, as on a standby. */
    @Nullable
    Market market();

    /**
     * When this process took the market over, wall clock: signatures from before may have been used already. -1 if that is
     * not known; then the first request after it counts.
     */
    default long marketSinceMillis() {
        return -1;
    }
}
