// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.agent;

import java.util.List;
import java.util.function.DoubleUnaryOperator;
import org.heddle.market.quote.SlotPrice;

/**
 * When to buy how much. Work is cheapest if one more slot costs the same at all times ({@link
 * SlotPrice#rateAtMarginalCost}): more slots are bought while others pay little. What others will pay is taken from
 * what they paid, so the right marginal cost is the one that would have bought the work in the time left over those
 * prices.
 */
final class Pacing {
    private static final int STEPS = 60;
    private static final double HIGHEST = 1e18;

    private final List<Double> past;
    private final double capacity;
    private final double width;
    private final double highestRate;

    Pacing(List<Double> past, double capacity, double width, double highestRate) {
        this.past = past;
        this.capacity = capacity;
        this.width = Math.min(width, capacity);
        this.highestRate = highestRate;
    }

    /** The rate for this marginal cost, not more than gives every slot that the job can use. */
    double rate(double marginal, double others) {
        double rate = SlotPrice.rateAtMarginalCost(marginal, others);
        double enough = SlotPrice.rateFor(Math.min(width, capacity * 0.999), others, capacity);
        return Math.min(highestRate, Math.min(rate, enough));
    }

    private double slots(double marginal, double others) {
        if (others <= 0) {
            return width; // the least rate buys it all
        }
        return Math.min(width, SlotPrice.slots(rate(marginal, others), others, capacity));
    }

    /** The marginal cost at which so many slots would have been bought on average. */
    double marginalForSlots(double slots) {
        return solve(slots, others -> marginal -> slots(marginal, others));
    }

    /** The marginal cost at which the account would have spent so much for each rate unit. */
    double marginalForSpending(double perUnit) {
        return solve(perUnit, others -> marginal -> slots(marginal, others) * rate(marginal, others));
    }

    private interface ByOthers {
        DoubleUnaryOperator of(double others);
    }

    private double solve(double wanted, ByOthers what) {
        double low = 0;
        double high = 1e-9;
        while (high < HIGHEST && mean(high, what) < wanted) {
            low = high;
            high *= 4;
        }
        for (int i = 0; i < STEPS; i++) {
            double middle = (low + high) / 2;
            if (mean(middle, what) < wanted) {
                low = middle;
            } else {
                high = middle;
            }
        }
        return high;
    }

    private double mean(double marginal, ByOthers what) {
        double sum = 0;
        for (double others : past) {
            sum += what.of(others).applyAsDouble(marginal);
        }
        return sum / past.size();
    }
}
