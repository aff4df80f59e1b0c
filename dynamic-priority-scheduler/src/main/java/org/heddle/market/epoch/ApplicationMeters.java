// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.epoch;

import java.util.ArrayList;
import java.util.List;
import org.heddle.market.policy.SlotScale;
import org.heddle.market.policy.SlotTime;
import org.heddle.market.policy.WideMath;

/**
 * The applications of one queue. They divide its charge in proportion to the slot-time that each of them used in the
 * epoch, whether the queue paid for all of it or not. Guarded by the scheduler's lock.
 */
final class ApplicationMeters {
    private final List<ApplicationMeter> applications = new ArrayList<>();

    void add(ApplicationMeter application) {
        applications.add(application);
    }

    void rescaled(long nowMillis, SlotScale scale) {
        for (ApplicationMeter application : applications) {
            application.rescaled(nowMillis, scale);
        }
    }

    void advance(long nowMillis) {
        for (ApplicationMeter application : applications) {
            application.advance(nowMillis);
        }
    }

    /** Begins another epoch, without the applications that have ended. */
    void begin() {
        applications.removeIf(ApplicationMeter::isEnded);
        for (ApplicationMeter application : applications) {
            application.begin();
        }
    }

    /**
     * Divides a charge. The parts add up to it exactly: each is the difference of two rounded sums, in the order of
     * arrival, so none differs from its exact part by a whole nano-credit.
     *
     * @param nanos nano-credits, 0 or more
     * @return the parts above 0; none if the applications used nothing
     */
    List<ClosedEpoch.ApplicationCharge> divide(long nanos) {
        SlotTime total = new SlotTime();
        for (ApplicationMeter application : applications) {
            total.add(application.used());
        }
        List<ClosedEpoch.ApplicationCharge> charges = new ArrayList<>();
        if (nanos == 0 || total.isZero()) {
            return charges;
        }
        long whole = units(total, total);
        SlotTime sum = new SlotTime();
        long before = 0;
        for (ApplicationMeter application : applications) {
            sum.add(application.used());
            long until = WideMath.share(nanos, units(sum, total), whole);
            if (until > before) {
                charges.add(application.charge(until - before));
            }
            before = until;
        }
        return charges;
    }

    /** A part of a total in nano-slot-milliseconds; in slot-milliseconds if the total is too large for 63 bits. */
    private static long units(SlotTime part, SlotTime total) {
        return total.fits() ? part.nanoSlotMillis() : part.slotMillis();
    }
}
