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
 * @param divides whether queues that pay have shares in the next epoch
 */
public record EpochTerms(Function<String, Funds> funds, boolean divides) {
    /** Ends the running epoch and begins the next one. */
    public ClosedEpoch rollOver(EpochMeter meter, long nowMillis) {
        return meter.rollOver(nowMillis, funds, divides);
    }
}
