// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.model.terms;

/**
 * The rules of a market; they do not change while it runs.
 *
 * @param clusterId identifies the cluster in signatures and ledgers
 * @param intervalMillis length of an allocation interval
 * @param rateUnitMillis time unit of a spending rate; equal to the interval in the paper
 * @param charge price of excess
 * @param maxDeficitIntervals limit of a queue's deficit or surplus, in intervals of its entitlement; 0 for none
 * @param outage behaviour while the store cannot be written
 */
public record MarketTerms(
        String clusterId,
        long intervalMillis,
        long rateUnitMillis,
        ChargePolicy charge,
        int maxDeficitIntervals,
        OutagePolicy outage) {
    /** A unit beyond this would not leave room for exact remainders in 64 bits: 100 days. */
    public static final long LONGEST_RATE_UNIT_MILLIS = 100L * 24 * 3_600_000;

    /**
     * What a queue is owed or has too much from earlier times, in intervals of its entitlement: longer ones would let a
     * queue live on its past.
     */
    public static final int MAX_DEFICIT_INTERVALS = 10;

    public MarketTerms {
        if (intervalMillis < 1) {
            throw new IllegalArgumentException(
                    "an allocation interval of " + intervalMillis + " ms is too short; set 1 ms or more");
        }
        if (rateUnitMillis < 1 || rateUnitMillis > LONGEST_RATE_UNIT_MILLIS) {
            throw new IllegalArgumentException("a rate unit of " + rateUnitMillis + " ms cannot be used; set 1 ms to "
                    + LONGEST_RATE_UNIT_MILLIS + " ms (100 days)");
        }
        if (maxDeficitIntervals < 0) {
            throw new IllegalArgumentException(
                    "a largest deficit of " + maxDeficitIntervals + " intervals cannot be used; set 0 or more");
        }
    }

    /** Whether what a queue missed or had too much in an interval counts in later ones. */
    public boolean keepsDeficits() {
        return maxDeficitIntervals > 0;
    }
}
