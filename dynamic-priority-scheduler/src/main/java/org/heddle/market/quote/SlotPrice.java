// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.quote;

/**
 * Slots and costs at a rate (Sandholm and Lai, 3.1): {@code slots = rate / price x capacity}, where the price is the
 * sum of the rates; {@code cost = rate x slots x time}. Rates are credits for a slot and rate unit. If the others pay
 * o, then x of the cluster costs {@code o x / (1 - x)} for each slot, so that twice the slots cost more than four times
 * as much.
 */
public final class SlotPrice {
    private SlotPrice() {}

    /**
     * The slots that a rate entitles to.
     *
     * @param others sum of the rates of the other accounts that pay
     * @param capacity slots of the cluster
     */
    public static double slots(double rate, double others, double capacity) {
        return rate <= 0 ? 0 : rate / (rate + others) * capacity;
    }

    /**
     * The rate that entitles to so many slots.
     *
     * @return infinite if they are the whole cluster and somebody else pays, or more than the cluster
     */
    public static double rateFor(double slots, double others, double capacity) {
        if (slots <= 0) {
            return 0;
        }
        if (slots < capacity) {
            return others * slots / (capacity - slots);
        }
        return Double.POSITIVE_INFINITY;
    }

    /** Credits for slots that are used for a time. */
    public static double cost(double rate, double slots, double millis, double rateUnitMillis) {
        return rate * slots * millis / rateUnitMillis;
    }

    /**
     * The rate at which one more slot costs {@code marginal}, per rate unit. A given amount of work is cheapest if this
     * number is the same at all times: the derivative of {@code o s^2 / (c - s)} by s is {@code o ((1 - s/c)^-2 - 1)}.
     */
    public static double rateAtMarginalCost(double marginal, double others) {
        return Math.sqrt(others * others + marginal * others) - others;
    }
}
