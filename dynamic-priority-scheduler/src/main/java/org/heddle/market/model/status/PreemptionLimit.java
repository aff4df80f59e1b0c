// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.model.status;

/**
 * The limit of the work that preemption may lose. Work is in whole slot-milliseconds.
 *
 * @param maxLost part of all work that may be lost, above 0 and up to 1; 1 if there is no limit, or no preemption
 * @param availableSlotMillis what may be lost now; below 0 after a preemption that exceeded the limit
 * @param mostSlotMillis the largest amount that becomes available; one preemption may exceed it
 * @param waiting number of applications that starve because their preemption would lose more
 * @param neededSlotMillis what the preemption for the first of these would lose; 0 if none waits
 */
public record PreemptionLimit(
        double maxLost, long availableSlotMillis, long mostSlotMillis, int waiting, long neededSlotMillis) {
    /** Nothing limits preemption, or it is off. */
    public static final PreemptionLimit NONE = new PreemptionLimit(1, 0, 0, 0, 0);

    public boolean isLimited() {
        return maxLost < 1;
    }
}
