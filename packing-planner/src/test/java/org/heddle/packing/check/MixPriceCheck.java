// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.check;

import org.heddle.packing.model.Role;

/**
 * What prices of the jobs and of a slot prove about malleable plans. In a second a job earns its price times the work
 * done, and pays for its slots: a host for a share of a slot, an extra for the rest of the slots it takes. The jobs
 * that run side by side pay for at most N slots, so they earn at most the price of N slots and each job's largest
 * surplus. The prices of all work, divided by that, are seconds which no plan can beat.
 */
final class MixPriceCheck {
    private final BoundTimes times;
    private final double[] prices;

    MixPriceCheck(BoundTimes times, double[] prices) {
        this.times = times;
        this.prices = prices;
    }

    /** @return seconds; 0 if the numbers are no prices */
    double seconds(double perSlot, double hostShare) {
        if (!(perSlot >= 0 && perSlot < Double.POSITIVE_INFINITY && hostShare >= 0 && hostShare <= 1)) {
            return 0;
        }
        double all = 0;
        double earned = perSlot * times.slots;
        for (int j = 0; j < times.jobs; j++) {
            all += prices[j];
            double most = surplus(j, Role.NORMAL, perSlot);
            most = Math.max(most, surplus(j, Role.HOST, perSlot * hostShare));
            earned += Math.max(most, surplus(j, Role.EXTRA, perSlot * (1 - hostShare) * times.slotsPerExtra));
        }
        return earned > 0 ? all / earned : 0;
    }

    private double surplus(int j, Role role, double perVm) {
        double factor = times.factor(j, role);
        int most = role == Role.EXTRA ? times.mostExtras() : times.slots;
        double surplus = 0;
        for (int n = 1; n <= most && factor < Double.POSITIVE_INFINITY && prices[j] > 0; n++) {
            surplus = Math.max(surplus, prices[j] / (factor * times.seconds(j, n)) - perVm * n);
        }
        return surplus;
    }
}
