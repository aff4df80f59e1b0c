// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.ledger.book;

import java.util.List;
import org.heddle.market.epoch.ClosedEpoch;

/**
 * A closed epoch in the ledger.
 *
 * @param number 1, 2, 3, ... over restarts and leaders
 * @param startMillis its start, wall clock; used for labels only
 * @param unitMillis the rate unit of the remainders
 * @param closed its result
 */
public record EpochRecord(long number, long startMillis, long unitMillis, ClosedEpoch closed) {
    /** The sum of all charges in nano-credits. */
    public long revenue() {
        long sum = 0;
        for (ClosedEpoch.Line line : closed.bills()) {
            sum += line.chargeNanos();
        }
        return sum;
    }

    EpochRecord with(ClosedEpoch other) {
        return new EpochRecord(number, startMillis, unitMillis, other);
    }

    public List<ClosedEpoch.Line> bills() {
        return closed.bills();
    }
}
