// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.solve.malleable;

import java.util.Arrays;
import java.util.List;
import org.heddle.packing.model.Certificate;
import org.heddle.packing.model.Role;
import org.heddle.packing.solve.JobTable;
import org.jspecify.annotations.Nullable;

/**
 * A lower bound on malleable plans. In a plan of T seconds job j has the mean speed 1 / T, so it takes at least the
 * slots that the lower convex hull of (speed, slots) over all VM counts and roles gives for this speed. The sum over
 * the jobs must not exceed N. Slots of hosts count l and slots of extras (1-l) k / floor(k/r), for several l; this adds
 * up the two capacity rules as the area bound does. The bound is never below the least VM-seconds of all jobs divided
 * by N.
 */
final class HullBound {
    private static final double[] WEIGHTS = {0.5, 0.25, 0.4, 0.6, 0.75, 0.1, 0.9};
    private static final double[] NO_OVERCOMMIT = {0.5};
    private static final int STEPS = 60;

    private final JobTable table;
    private final SpeedHull[] hulls;
    private final double[] weights;
    private @Nullable Certificate certificate;

    HullBound(JobTable table, SpeedHull[] hulls, boolean overcommit) {
        this.table = table;
        this.hulls = hulls;
        weights = overcommit ? WEIGHTS : NO_OVERCOMMIT;
    }

    /** Seconds. */
    double seconds() {
        double low = 0;
        double high = 0;
        for (int j = 0; j < table.jobs; j++) {
            low = Math.max(low, table.fastest(j));
            high += table.fastest(j);
        }
        if (!impossible(low)) {
            certificate = longestAlone();
            return low;
        }
        while (high - low > 1e-10 * high) {
            double middle = (low + high) / 2;
            if (impossible(middle)) {
                low = middle;
            } else {
                high = middle;
            }
        }
        return low;
    }

    /** Prices of the jobs and of a slot that prove the bound; after {@link #seconds}. */
    @Nullable
    Certificate certificate() {
        return certificate;
    }

    /** The work of the longest job alone cannot be done in less than its fastest run. */
    private Certificate longestAlone() {
        Double[] prices = new Double[table.jobs];
        Arrays.fill(prices, 0.0);
        int longest = 0;
        for (int j = 0; j < table.jobs; j++) {
            longest = table.fastest(j) > table.fastest(longest) ? j : longest;
        }
        prices[longest] = table.fastest(longest);
        return new Certificate(Certificate.Kind.MIX_PRICES, List.of(prices), 0.0, weights[0]);
    }

    private boolean impossible(double seconds) {
        for (double weight : weights) {
            double slots = 0;
            double earned = table.slots;
            Double[] prices = new Double[table.jobs];
            Arrays.fill(prices, 0.0);
            for (int j = 0; j < table.jobs; j++) {
                slots += leastSlots(j, 1 / seconds, weight);
                prices[j] = bestPrice;
                earned += bestSurplus;
                if (slots > table.slots * (1 + 1e-9)) {
                    double all = earned;
                    certificate = new Certificate(
                            Certificate.Kind.MIX_PRICES,
                            Arrays.stream(prices).map(p -> p / all).toList(),
                            1 / all,
                            weight);
                    return true;
                }
            }
        }
        return false;
    }

    /** The height of the hull at a speed, from below: by weak duality each price per speed gives a valid value. */
    private double leastSlots(int j, double speed, double weight) {
        double low = 0;
        double high = 1 / speed;
        while (at(j, high, weight) < speed * (1 - 1e-12) && high < 1e6 * table.slots / speed) {
            low = high;
            high *= 2;
        }
        double most = 0;
        bestPrice = 0;
        bestSurplus = 0;
        for (int i = 0; i < STEPS; i++) {
            double price = (low + high) / 2;
            if (at(j, price, weight) < speed) {
                low = price;
            } else {
                high = price;
            }
            if (price * speed - surplus > most) {
                most = price * speed - surplus;
                bestPrice = price;
                bestSurplus = surplus;
            }
        }
        return most;
    }

    /** The price with which the last call of {@link #leastSlots} found its value, and the surplus there. */
    private double bestPrice;

    private double bestSurplus;

    /** What the best VM count and role earn above their slots, at the price of the last call of {@link #at}. */
    private double surplus;

    /** The speed of the VM count and role that earn most if a unit of speed earns {@code price} slots. */
    private double at(int j, double price, double weight) {
        double best = 0;
        double speed = 0;
        for (Role role : Role.values()) {
            if (!table.mayBe(j, role)) {
                continue;
            }
            double factor = table.leastFactor(j, role);
            double perVm = perVm(role, weight);
            int width = hulls[j].best(perVm * factor / price);
            double own = width == 0 ? 0 : 1 / (factor * table.seconds(j, width));
            double earns = price * own - perVm * width;
            if (earns > best) {
                best = earns;
                speed = own;
            }
        }
        surplus = best;
        return speed;
    }

    private double perVm(Role role, double weight) {
        return switch (role) {
            case NORMAL -> 1;
            case HOST -> weight;
            case EXTRA -> (1 - weight) * table.slotsPerExtra;
        };
    }
}
