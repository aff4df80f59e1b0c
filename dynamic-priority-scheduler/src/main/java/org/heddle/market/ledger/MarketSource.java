// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.ledger;

import org.jspecify.annotations.Nullable;

/** Whoever runs a market; the scheduler does. */
public interface MarketSource {
    /** The running market; null while there is none, as on a standby. */
    @Nullable
    Market market();
}
