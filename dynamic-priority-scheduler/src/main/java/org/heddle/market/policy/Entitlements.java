// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.policy;

import java.math.BigInteger;
import java.util.Arrays;
import java.util.List;
import org.heddle.market.model.amount.Slots;
import org.heddle.market.model.status.QueueState;
import org.heddle.market.model.terms.MarketTerms;

/**
 * Price and entitlements of an epoch (Sandholm and Lai, 3.1): the price p is the sum of the rates of all queues that
 * pay, and queue i is entitled to {@code (s_i / p) * c} of the c slots.
 *
 * <p>The same condition decides for the price and for the share whether a queue pays: it has demand, its rate and its
 * balance are more than 0, and it can afford its use. With {@code a_i} the slots that its balance buys for a whole
 * interval, {@code CLIFF} requires that {@code a_i} is at least its present use; {@code FRACTIONAL} limits its
 * entitlement to {@code a_i}, and the others divide the rest by their rates.
 */
public final class Entitlements {
    private Entitlements() {}

    /**
     * Divides a cluster.
     *
     * @param capacity nano-slots
     */
    public static Division divide(List<Bid> bids, long capacity, MarketTerms terms) {
        int n = bids.size();
        QueueState[] state = new QueueState[n];
        long[] affordable = new long[n];
        long price = 0;
        for (int i = 0; i < n; i++) {
            Bid bid = bids.get(i);
            affordable[i] = affordable(bid, capacity, terms);
            state[i] = state(bid, affordable[i]);
            if (state[i] == QueueState.PAYING) {
                price = WideMath.saturatedAdd(price, bid.rateNanos());
            }
        }
        long[] weight = new long[n];
        long whole = price;
        boolean capped = false;
        for (int i = 0; i < n; i++) {
            if (state[i] == QueueState.PAYING) {
                weight[i] = bids.get(i).rateNanos();
                capped |= affordable[i] < Long.MAX_VALUE && WideMath.mulDiv(weight[i], capacity, price) > affordable[i];
            }
        }
        if (capped) {
            fill(bids, affordable, weight, price, capacity);
            whole = capacity;
        }
        return new Division(price, capacity, state, weight, whole);
    }

    /** The state that a queue would have if an epoch began now; it does not depend on the others. */
    public static QueueState alone(Bid bid, long capacity, MarketTerms terms) {
        return state(bid, affordable(bid, capacity, terms));
    }

    private static QueueState state(Bid bid, long affordable) {
        if (bid.rateNanos() == 0) {
            return QueueState.NO_RATE;
        }
        if (bid.balanceNanos() <= 0 || affordable <= 0) {
            return QueueState.UNAFFORDABLE;
        }
        return bid.wants() ? QueueState.PAYING : QueueState.IDLE;
    }

    /**
     * Nano-slots that a balance buys for a whole interval: b / (s * T / unit), rounded down. The exact number does not
     * matter if it is far above the capacity.
     */
    private static long affordable(Bid bid, long capacity, MarketTerms terms) {
        if (bid.rateNanos() == 0) {
            return Long.MAX_VALUE;
        }
        double about = (double) bid.balanceNanos()
                / bid.rateNanos()
                * terms.rateUnitMillis()
                / terms.intervalMillis()
                * Slots.NANOS;
        if (about > 2.0 * Math.max(capacity, bid.usedNanos()) + 2) {
            return Long.MAX_VALUE;
        }
        long interval = terms.intervalMillis();
        long unit = terms.rateUnitMillis();
        boolean small = Math.multiplyHigh(bid.rateNanos(), interval) == 0 && bid.rateNanos() * interval > 0;
        long balance = WideMath.saturatedMultiply(bid.balanceNanos(), unit);
        if (small && balance < Long.MAX_VALUE) {
            return WideMath.mulDiv(balance, Slots.NANOS, bid.rateNanos() * interval);
        }
        BigInteger exact = BigInteger.valueOf(bid.balanceNanos())
                .multiply(BigInteger.valueOf(unit))
                .multiply(BigInteger.valueOf(Slots.NANOS))
                .divide(BigInteger.valueOf(bid.rateNanos()).multiply(BigInteger.valueOf(interval)));
        return exact.bitLength() < Long.SIZE ? exact.longValue() : Long.MAX_VALUE;
    }

    /**
     * Gives each queue capacity in proportion to its rate, until it has what it can afford or nothing is left. Queues
     * with the smallest affordable part for their rate come first, so that one pass finds all limits. On entry the
     * weights are rates, then nano-slots.
     */
    private static void fill(List<Bid> bids, long[] affordable, long[] weight, long price, long capacity) {
        Integer[] order = new Integer[weight.length];
        double[] forItsRate = new double[weight.length];
        for (int i = 0; i < weight.length; i++) {
            order[i] = i;
            forItsRate[i] = weight[i] == 0 ? Double.POSITIVE_INFINITY : affordable[i] / (double) weight[i];
        }
        Arrays.sort(order, (a, b) -> {
            int byLimit = Double.compare(forItsRate[a], forItsRate[b]);
            if (byLimit != 0) {
                return byLimit;
            }
            return bids.get(a).queue().compareTo(bids.get(b).queue());
        });
        long left = capacity;
        long rates = price;
        for (int i : order) {
            if (weight[i] > 0) {
                long rate = weight[i];
                weight[i] = Math.min(affordable[i], WideMath.mulDiv(rate, left, rates));
                left -= weight[i];
                rates -= rate;
            }
        }
    }
}
