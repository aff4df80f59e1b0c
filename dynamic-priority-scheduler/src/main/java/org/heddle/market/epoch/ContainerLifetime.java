// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.epoch;

import org.heddle.market.policy.SlotTime;

/**
 * The recent mean lifetime of containers: used slot-time divided by the slots that were released (Little's law).
 *
 * <p>A weight acts only on new containers, and these then stay for a lifetime. A deficit that is repaid faster than
 * that is overshot: the queue gets the whole cluster for a lifetime, and then the others do.
 */
final class ContainerLifetime {
    /** Weight of an epoch in the mean after the next one. */
    private static final double MEMORY = 0.875;

    private double usedNanoSlotMillis;
    private double freedNanoSlots;

    /** Adds an epoch with its used slot-time and its released nano-slots. */
    void epoch(SlotTime used, double freed) {
        double time = used.fits() ? used.nanoSlotMillis() : used.exact().doubleValue();
        usedNanoSlotMillis = MEMORY * usedNanoSlotMillis + time;
        freedNanoSlots = MEMORY * freedNanoSlots + freed;
    }

    /**
     * The time over which deficits are repaid: one interval, in which they are computed, plus twice the time by which
     * containers outlive it. So a container that repays a deficit ends before half of the deficit is repaid.
     */
    double horizonMillis(long intervalMillis) {
        double mean = freedNanoSlots > 0 ? usedNanoSlotMillis / freedNanoSlots : 0;
        return intervalMillis + 2 * Math.max(0, mean - intervalMillis);
    }
}
