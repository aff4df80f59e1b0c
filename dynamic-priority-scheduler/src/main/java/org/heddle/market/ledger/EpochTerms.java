// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.ledger;

import java.util.function.Function;
import org.heddle.market.epoch.ClosedEpoch;
import org.heddle.market.epoch.EpochMeter;
import org.heddle.market.epoch.Funds;

/**
 * What the books say at a boundary, by which the floor is turned.
 *
 * @param funds what each queue has and bids when all that is accepted is stored
 * @param billed whether bills will be written; if not, nothing is taken from balances
 * @param frozen whether the shares of the last epoch stay
 */
public record EpochTerms(Function<String, Funds> funds, boolean billed, boolean frozen) {
    /** Ends the floor's epoch and begins the next. */
    public ClosedEpoch turn(EpochMeter floor, long nowMillis) {
        if (frozen) {
            return floor.repeat(nowMillis);
        }
        return floor.turn(nowMillis, funds, billed);
    }
}
