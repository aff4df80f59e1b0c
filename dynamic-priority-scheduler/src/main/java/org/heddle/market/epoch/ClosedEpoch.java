// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.epoch;

import java.util.List;

/**
 * The result of an epoch.
 *
 * @param millis its length by the monotonic clock
 * @param price sum of the rates of the queues that paid, nano-credits for one slot and rate unit
 * @param capacity mean nano-slots of the cluster
 * @param used mean nano-slots in use
 * @param paying number of queues that paid
 * @param bills of the paying queues that used anything
 */
public record ClosedEpoch(long millis, long price, long capacity, long used, int paying, List<Line> bills) {
    public ClosedEpoch {
        bills = List.copyOf(bills);
    }

    /**
     * The bill of one queue.
     *
     * @param queue its name
     * @param rateNanos the rate that was charged
     * @param slotMillis charged slot-time in whole slot-milliseconds, rounded down
     * @param chargeNanos taken from its balance
     * @param waiverNanos the part of the bill above its balance, which is waived
     * @param remainder carried to its next bill
     * @param balanceNanos its balance after the charge
     */
    public record Line(
            String queue,
            long rateNanos,
            long slotMillis,
            long chargeNanos,
            long waiverNanos,
            long remainder,
            long balanceNanos) {}
}
