// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.epoch;

import java.util.ArrayList;
import java.util.Comparator;
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

    /** The bills in the order of the names of their queues. */
    public List<Line> billsByQueue() {
        List<Line> sorted = new ArrayList<>(bills);
        sorted.sort(Comparator.comparing(Line::queue));
        return sorted;
    }

    /** The same epoch with other bills. */
    public ClosedEpoch with(List<Line> otherBills) {
        return new ClosedEpoch(millis, price, capacity, used, paying, otherBills);
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
     * @param applications the parts of its applications in the charge; they add up to it, or are none
     */
    public record Line(
            String queue,
            long rateNanos,
            long slotMillis,
            long chargeNanos,
            long waiverNanos,
            long remainder,
            long balanceNanos,
            List<ApplicationCharge> applications) {
        public Line {
            applications = List.copyOf(applications);
        }

        /** The same bill with other parts of applications. */
        public Line with(List<ApplicationCharge> parts) {
            return new Line(queue, rateNanos, slotMillis, chargeNanos, waiverNanos, remainder, balanceNanos, parts);
        }
    }

    /**
     * The part of one application in a bill.
     *
     * @param application its id; empty for the sum of other applications
     * @param name its name, cut to {@value #LONGEST_TEXT} characters
     * @param user its user, cut to {@value #LONGEST_TEXT} characters
     * @param slotMillis what it used, in whole slot-milliseconds, rounded down
     * @param chargeNanos its part of the charge
     */
    public record ApplicationCharge(String application, String name, String user, long slotMillis, long chargeNanos) {
        private static final int LONGEST_TEXT = 60;

        public ApplicationCharge {
            name = cut(name);
            user = cut(user);
        }

        private static String cut(String text) {
            return text.length() <= LONGEST_TEXT ? text : text.substring(0, LONGEST_TEXT);
        }
    }
}
