// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.agent;

import java.util.List;
import java.util.Locale;

/**
 * Ends a job at a given time at the lowest cost: buys the work that is left over the time that is left, most of it
 * while others pay little ({@link Pacing}). It keeps one task and one epoch in reserve, because the last tasks start
 * late and a rate applies from the next epoch on, and {@value #RESERVE_PERCENT} percent of the work, because estimates
 * err.
 */
public final class DeadlineStrategy implements RateStrategy {
    private static final int RESERVE_PERCENT = 8;
    /** It never bids for more of the cluster: the rate for the last slots is many times the rate for all others. */
    private static final double LARGEST_PART = 0.97;

    private final long finishMillis;
    private final double maxCost;
    private final double highestRate;

    /**
     * @param finishMillis wanted end, by the market's clock
     * @param maxCost credits; infinite for no limit. The rate is then limited to what pays for the work that is left
     * @param highestRate the agent never sets more
     */
    public DeadlineStrategy(long finishMillis, double maxCost, double highestRate) {
        this.finishMillis = finishMillis;
        this.maxCost = maxCost;
        this.highestRate = highestRate;
    }

    @Override
    public RateDecision decide(MarketView market, JobProgress job, List<Double> others) {
        if (job.ended()) {
            return RateDecision.restore("the job has ended");
        }
        if (!job.isKnown()) {
            double first = Math.min(Math.min(highestRate, steady(market)), Bids.first(market, job));
            return RateDecision.set(first, job.source() + "; until there is progress the rate buys the first slots");
        }
        double master = job.masterSlots();
        // An entitlement below what its containers hold makes a debt, and then the last tasks start late.
        double width = Math.max(Math.max(job.width(), market.used() - master), Math.min(1, market.capacity()));
        double most = Math.min(width + master, LARGEST_PART * market.capacity());
        Pacing pacing = new Pacing(observed(market, others), market.capacity(), most, highestRate);
        double reserve = (market.nextEpochMillis() - market.nowMillis()) + job.taskMillis();
        double left = finishMillis - market.nowMillis() - reserve;
        double tasksRun = Math.max(0, market.used() - master);
        double work = Math.max(0, job.remaining() - tasksRun * (market.nextEpochMillis() - market.nowMillis()));
        double wanted = left > 0 ? work * (100 + RESERVE_PERCENT) / 100 / left : Double.POSITIVE_INFINITY;
        boolean late = wanted > width;
        double marginal = late ? Double.MAX_VALUE : pacing.marginalForSlots(wanted + master);
        double rate = Math.max(Bids.LEAST, pacing.rate(marginal, market.others()));
        String why;
        if (late) {
            why = String.format(
                    Locale.ROOT,
                    "%.0f slot-seconds are left and the job can use %.1f slots, which is not enough to end in time",
                    job.remaining() / 1_000,
                    width);
        } else {
            why = String.format(
                    Locale.ROOT,
                    "%.0f slot-seconds are left (%s), which need %.1f slots for %.0f s; others pay %s",
                    job.remaining() / 1_000,
                    job.source(),
                    wanted,
                    left / 1_000,
                    RateText.of(market.others()));
        }
        double byWork = Math.max(0, maxCost - market.spent())
                * market.rateUnitMillis()
                / Math.max(1, job.remaining() + master * Math.max(0, left) + market.used() * market.intervalMillis());
        double affordable = Math.min(byWork, steady(market));
        if (rate > affordable) {
            return RateDecision.set(
                    affordable, why + "; the cost limit of " + RateText.of(maxCost) + " allows no higher rate");
        }
        return RateDecision.set(rate, why);
    }

    @Override
    public double limit(MarketView market) {
        return Double.isInfinite(maxCost) ? highestRate : BudgetStrategy.safeRate(maxCost - market.spent(), market);
    }

    @Override
    public double steady(MarketView market) {
        return Double.isInfinite(maxCost) ? highestRate : BudgetStrategy.steadyRate(maxCost - market.spent(), market);
    }

    @Override
    public long untilMillis() {
        return finishMillis;
    }

    /** The past since the last step, with the present; the present alone if there is no past. */
    static List<Double> observed(MarketView market, List<Double> others) {
        return others.isEmpty() ? List.of(market.others()) : Bids.sinceTheLastStep(others);
    }
}
