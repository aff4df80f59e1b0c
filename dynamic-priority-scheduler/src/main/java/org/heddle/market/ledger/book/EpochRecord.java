// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.ledger.book;

import java.util.List;
import org.heddle.market.epoch.ClosedEpoch;

/**
 * A closed epoch in the books.
 *
 * @param number 1, 2, 3, ... over restarts and leaders
 * @param startMillis when it began, wall clock; a label only
 * @param unitMillis the rate unit, in which remainders are counted
 * @param closed what it came to
 */
public record EpochRecord(long number, long startMillis, long unitMillis, ClosedEpoch closed) {
    /** Nano-credits charged in all. */
    public long revenue() {
        long sum = 0;
        for (ClosedEpoch.Line line : closed.bills()) {
            sum += line.chargeNanos();
        }
        return sum;
    }

    public List<ClosedEpoch.Line> bills() {
        return closed.bills();
    }
}
