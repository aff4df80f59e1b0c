// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.model.terms;

/**
 * The rules of a market; they do not change while it runs.
 *
 * @param clusterId identifies the cluster in signatures and ledgers
 * @param intervalMillis length of an allocation interval
 * @param rateUnitMillis time unit of a spending rate; equal to the interval in the paper
 * @param metering how use becomes slot-time
 * @param charge price of excess
 * @param exhaustion entitlement of a queue whose balance runs out
 * @param earlyEpoch whether a queue that newly has demand and credit ends the present epoch at once
 * @param minIntervalMillis shortest epoch, if epochs may end early
 * @param maxDeficitIntervals limit of a queue's deficit or surplus, in intervals of its entitlement; 0 for none
 * @param outage behaviour while the store cannot be written
 */
public record MarketTerms(
        String clusterId,
        long intervalMillis,
        long rateUnitMillis,
        Metering metering,
        ChargePolicy charge,
        ExhaustionPolicy exhaustion,
        boolean earlyEpoch,
        long minIntervalMillis,
        int maxDeficitIntervals,
        OutagePolicy outage) {
    /** A unit beyond this would not leave room for exact remainders in 64 bits: 100 days. */
    public static final long LONGEST_RATE_UNIT_MILLIS = 100L * 24 * 3_600_000;

    /**
     * The rules of the code of 2009: the unit is the interval, use is sampled, excess is free, a queue without credit
     * gets nothing.
     */
    public static MarketTerms legacy(String clusterId, long intervalMillis) {
        return new MarketTerms(
                clusterId,
                intervalMillis,
                intervalMillis,
                Metering.SAMPLE,
                ChargePolicy.NONE,
                ExhaustionPolicy.CLIFF,
                false,
                intervalMillis,
                0,
                OutagePolicy.CONTINUE);
    }

    public MarketTerms {
        if (intervalMillis < 1) {
            throw new IllegalArgumentException(
                    "an allocation interval of " + intervalMillis + " ms is too short; set 1 ms or more");
        }
        if (rateUnitMillis < 1 || rateUnitMillis > LONGEST_RATE_UNIT_MILLIS) {
            throw new IllegalArgumentException("a rate unit of " + rateUnitMillis + " ms cannot be used; set 1 ms to "
                    + LONGEST_RATE_UNIT_MILLIS + " ms (100 days)");
        }
        if (minIntervalMillis < 0 || maxDeficitIntervals < 0) {
            throw new IllegalArgumentException(
                    "a shortest epoch of " + minIntervalMillis + " ms and a largest deficit of " + maxDeficitIntervals
                            + " intervals cannot be used; set 0 or more");
        }
    }

    /** Whether what a queue missed or had too much in an interval counts in later ones. */
    public boolean keepsDeficits() {
        return maxDeficitIntervals > 0 && metering != Metering.SAMPLE;
    }
}
