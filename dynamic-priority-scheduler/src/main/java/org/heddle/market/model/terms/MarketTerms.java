// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.model.terms;

/**
 * The rules of a market; fixed while it runs.
 *
 * @param clusterId by which signatures and ledgers tell clusters apart
 * @param intervalMillis length of an allocation interval
 * @param rateUnitMillis time that a spending rate is for; equal to the interval in the paper's way of counting
 * @param metering how use becomes slot-time
 * @param charge what excess costs
 * @param exhaustion what happens when a balance runs out
 * @param earlyEpoch a newcomer with credit ends the present epoch at once
 * @param minIntervalMillis shortest epoch, if epochs may end early
 * @param carryIntervals most intervals' worth of entitlement that a queue which got too little is owed, and one that got
 *     too much owes; 0 to forget at every boundary
 * @param outage what happens while the store cannot be written
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
        int carryIntervals,
        OutagePolicy outage) {
    /** A unit beyond this would not leave room for exact remainders in 64 bits: 100 days. */
    public static final long LONGEST_RATE_UNIT_MILLIS = 100L * 24 * 3_600_000;

    /** As the code of 2009 did it: the unit is the interval, use is sampled, excess is free, a broke queue gets nothing. */
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
                OutagePolicy.CONTINUE_UNBILLED);
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
        if (minIntervalMillis < 0 || carryIntervals < 0) {
            throw new IllegalArgumentException("a shortest epoch of " + minIntervalMillis + " ms and " + carryIntervals
                    + " intervals to carry cannot be used; set 0 or more");
        }
    }
}
