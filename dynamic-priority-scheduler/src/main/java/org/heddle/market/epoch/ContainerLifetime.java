// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.epoch;

import org.heddle.market.policy.SlotTime;

/**
 * How long containers live: the slot-time that was used for each slot that was given back (Little's law), of late.
 *
 * <p>Weights act on containers that begin, which then stay for a lifetime. What is to be worked off within less than that
 * is overshot: whoever was owed something has the whole cluster for a lifetime, and then nobody else has anything.
 */
final class ContainerLifetime {
    /** What an epoch counts for in the next one. */
    private static final double MEMORY = 0.875;

    private double usedNanoSlotMillis;
    private double freedNanoSlots;

    /** An epoch ends in which so much was used, and so many nano-slots were given back. */
    void epoch(SlotTime used, double freed) {
        double time = used.fits() ? used.nanoSlotMillis() : used.exact().doubleValue();
        usedNanoSlotMillis = MEMORY * usedNanoSlotMillis + time;
        freedNanoSlots = MEMORY * freedNanoSlots + freed;
    }

    /**
     * Over how long debts are worked off: an interval, in which they are reckoned, and twice the time by which containers
     * outlive it, so that what was granted in one has ended before half of the debt is worked off.
     */
    double horizonMillis(long intervalMillis) {
        double mean = freedNanoSlots > 0 ? usedNanoSlotMillis / freedNanoSlots : 0;
        return intervalMillis + 2 * Math.max(0, mean - intervalMillis);
    }
}
