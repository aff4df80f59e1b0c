// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.ledger;

import java.util.function.Function;
import org.heddle.market.epoch.ClosedEpoch;
import org.heddle.market.epoch.EpochMeter;
import org.heddle.market.epoch.Funds;

/**
 * The inputs of an epoch change from the ledger.
 *
 * @param funds of each queue, with all accepted changes
 * @param billed whether bills will be written; if not, balances stay as they are
 * @param frozen whether the shares of the last epoch stay
 */
public record EpochTerms(Function<String, Funds> funds, boolean billed, boolean frozen) {
    /** Ends the running epoch and begins the next one. */
    public ClosedEpoch rollOver(EpochMeter meter, long nowMillis) {
        if (frozen) {
            return meter.repeat(nowMillis);
        }
        return meter.rollOver(nowMillis, funds, billed);
    }
}
