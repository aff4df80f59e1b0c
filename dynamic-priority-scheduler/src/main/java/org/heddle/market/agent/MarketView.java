// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.agent;

/**
 * The market and the account at one moment. Rates are credits for a slot and rate unit.
 *
 * @param nowMillis time of the market
 * @param nextEpochMillis when a rate that is set now begins to apply
 * @param intervalMillis length of an epoch
 * @param rateUnitMillis time unit of rates
 * @param capacity slots of the cluster
 * @param others sum of the rates that the other accounts pay in this epoch
 * @param rate the account's rate, which applies from the next epoch on
 * @param effectiveRate the rate that it pays in this epoch
 * @param used slots that it uses now
 * @param containers containers that it holds now
 * @param wanted slots that it could use now: those in use and those that it asks for
 * @param balance its credits
 * @param charged credits that it was charged since the agent began
 * @param accrued credits that this epoch has cost so far, which are not charged yet
 */
public record MarketView(
        long nowMillis,
        long nextEpochMillis,
        long intervalMillis,
        long rateUnitMillis,
        double capacity,
        double others,
        double rate,
        double effectiveRate,
        double used,
        double containers,
        double wanted,
        double balance,
        double charged,
        double accrued) {
    /** Credits that are spent for certain. */
    public double spent() {
        return charged + accrued;
    }

    /** Mean slots of its containers; 1 if it has none. */
    public double containerSlots() {
        return used > 0 && containers > 0 ? used / containers : 1;
    }

    MarketView withSpent(double spent) {
        return new MarketView(
                nowMillis,
                nextEpochMillis,
                intervalMillis,
                rateUnitMillis,
                capacity,
                others,
                rate,
                effectiveRate,
                used,
                containers,
                wanted,
                balance,
                spent - accrued,
                accrued);
    }
}
