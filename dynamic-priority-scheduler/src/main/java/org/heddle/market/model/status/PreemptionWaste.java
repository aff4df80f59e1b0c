// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.model.status;

/**
 * What preemption cost since this process became the leader of the market.
 *
 * @param containers preempted containers
 * @param lostSlotMillis slot-time that these containers had used, in whole slot-milliseconds: their work is lost
 * @param usedSlotMillis slot-time that all containers used, in whole slot-milliseconds, up to the last epoch
 * @param limit how much more may be lost now
 */
public record PreemptionWaste(long containers, long lostSlotMillis, long usedSlotMillis, PreemptionLimit limit) {
    public static final PreemptionWaste NONE = new PreemptionWaste(0, 0, 0, PreemptionLimit.NONE);

    /** The lost part of what was used, 0 to 1. */
    public double part() {
        return usedSlotMillis == 0 ? 0 : Math.min(1, (double) lostSlotMillis / usedSlotMillis);
    }
}
