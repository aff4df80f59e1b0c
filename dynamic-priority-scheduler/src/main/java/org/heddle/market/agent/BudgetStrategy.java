// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.agent;

import java.util.List;
import java.util.Locale;

/**
 * Gets as many slots as possible for a sum. With an end it spreads the sum over the time until then, and spends more
 * while others pay little ({@link Pacing}); without one it pays for the work that is left at one rate.
 *
 * <p>It never overspends as long as it is called at least once in each epoch: the rate is so low that the rest of this
 * epoch and all of the next one, in which the rate applies, cannot cost more than what is left, whatever the account uses.
 */
public final class BudgetStrategy implements RateStrategy {
    /** Below this part of the sum it is spent: the rate would be negligible. */
    private static final double NOTHING = 1e-3;

    private final double spend;
    private final long untilMillis;
    private final double highestRate;

    /**
     * @param spend credits
     * @param untilMillis by the market's clock; 0 for the end of the job
     */
    public BudgetStrategy(double spend, long untilMillis, double highestRate) {
        this.spend = spend;
        this.untilMillis = untilMillis;
        this.highestRate = highestRate;
    }

    @Override
    public RateDecision decide(MarketView market, JobProgress job, List<Double> others) {
        if (job.ended()) {
            return RateDecision.restore("the job has ended");
        }
        if (untilMillis > 0 && market.nowMillis() >= untilMillis) {
            return RateDecision.restore("the time is over");
        }
        double left = spend - market.spent();
        if (left <= spend * NOTHING) {
            return RateDecision.stop(RateText.of(market.spent()) + " of " + RateText.of(spend) + " credits are spent");
        }
        double wanted = untilMillis > 0
                ? overTime(market, job, left, others)
                : left * market.rateUnitMillis() / Math.max(1, job.remaining());
        double rate = Math.min(highestRate, Math.min(wanted, limit(market)));
        return RateDecision.set(
                rate,
                String.format(
                        Locale.ROOT,
                        "%s of %s credits are left%s; others pay %s",
                        RateText.of(left),
                        RateText.of(spend),
                        untilMillis > 0
                                ? String.format(Locale.ROOT, " for %.0f s", (untilMillis - market.nowMillis()) / 1e3)
                                : String.format(
                                        Locale.ROOT,
                                        " for %.0f slot-seconds (%s)",
                                        job.remaining() / 1e3,
                                        job.source()),
                        RateText.of(market.others())));
    }

    @Override
    public double limit(MarketView market) {
        return safeRate(spend - market.spent(), market);
    }

    private double overTime(MarketView market, JobProgress job, double left, List<Double> others) {
        double width = Math.max(Math.max(job.width(), market.wanted()), 1);
        Pacing pacing = new Pacing(DeadlineStrategy.observed(market, others), market.capacity(), width, highestRate);
        double millis = Math.max(market.intervalMillis(), untilMillis - market.nowMillis());
        double marginal = pacing.marginalForSpending(left * market.rateUnitMillis() / millis);
        return pacing.rate(marginal, market.others());
    }

    /** The highest rate at which this epoch and the next cannot cost more than what is left, at any use. */
    static double safeRate(double left, MarketView market) {
        double restOfEpoch = Math.max(0, market.nextEpochMillis() - market.nowMillis());
        double committed = market.effectiveRate() * market.capacity() * restOfEpoch / market.rateUnitMillis();
        double free = left - committed;
        return free <= 0 ? 0 : free * market.rateUnitMillis() / (market.capacity() * market.intervalMillis());
    }
}
