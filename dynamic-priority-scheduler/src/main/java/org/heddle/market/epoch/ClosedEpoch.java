// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.epoch;

import java.util.List;

/**
 * What an epoch came to.
 *
 * @param millis how long it took, by the monotonic clock
 * @param price sum of the rates of those who paid, nano-credits for one slot and rate unit
 * @param capacity mean nano-slots of the cluster
 * @param used mean nano-slots in use
 * @param paying how many queues paid
 * @param bills of those that used anything and pay
 */
public record ClosedEpoch(long millis, long price, long capacity, long used, int paying, List<Line> bills) {
    public ClosedEpoch {
        bills = List.copyOf(bills);
    }

    /**
     * One queue's bill.
     *
     * @param queue its name
     * @param rateNanos the rate that was charged
     * @param slotMillis charged slot-time, whole slot-milliseconds rounded down
     * @param chargeNanos taken from its balance
     * @param waiverNanos what it could not pay and is forgiven
     * @param remainder carried to its next bill
     * @param balanceNanos what it has after the charge
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
