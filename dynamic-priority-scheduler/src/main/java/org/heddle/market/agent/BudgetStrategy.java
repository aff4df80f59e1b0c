// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.agent;

import java.util.List;
import java.util.Locale;
import org.heddle.market.quote.SlotPrice;

/**
 * Gets as many slots as possible for a sum. With an end it spreads the sum over the time until then, and spends more
 * while others pay little ({@link Pacing}); without one it pays for the work that is left at one rate.
 *
 * <p>It never overspends as long as it is called at least once in each epoch: the rate is so low that the rest of this
 * epoch and all of the next one, in which the rate applies, cannot cost more than what is left, whatever the account
 * uses. Where that limits the rate, it falls in steps as the sum is spent, and not at each call.
 */
public final class BudgetStrategy implements RateStrategy {
    /** Below this part of the sum it is spent: the rate would be negligible. */
    private static final double NOTHING = 1e-3;
    /**
     * Steps of the rates that are set when the money that is left limits them: one is set, until a fifth of it is
     * spent.
     */
    private static final double STEP = 1.25;

    private static final int ROUNDS = 50;
    private static final double FEWEST_SLOTS = 1e-3;

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
        double wanted;
        if (untilMillis > 0) {
            wanted = Math.max(Bids.LEAST, overTime(market, job, left, others));
        } else if (job.isKnown()) {
            wanted = Math.max(Bids.LEAST, forTheWork(market, job, left));
        } else {
            wanted = Bids.first(market, job);
        }
        double rate = Math.min(highestRate, Math.min(wanted, steady(market)));
        String until;
        if (untilMillis > 0) {
            until = String.format(Locale.ROOT, " for %.0f s", (untilMillis - market.nowMillis()) / 1e3);
        } else if (!job.isKnown()) {
            until = " (" + job.source() + ")";
        } else {
            until = String.format(Locale.ROOT, " for %.0f slot-seconds (%s)", job.remaining() / 1e3, job.source());
        }
        return RateDecision.set(
                rate,
                String.format(
                        Locale.ROOT,
                        "%s of %s credits are left%s; others pay %s",
                        RateText.of(left),
                        RateText.of(spend),
                        until,
                        RateText.of(market.others())));
    }

    @Override
    public double limit(MarketView market) {
        return safeRate(spend - market.spent(), market);
    }

    @Override
    public double steady(MarketView market) {
        return steadyRate(spend - market.spent(), market);
    }

    @Override
    public long untilMillis() {
        return untilMillis > 0 ? untilMillis : Long.MAX_VALUE;
    }

    /**
     * The rate at which the tasks and the ApplicationMaster together cost what is left. The master holds its slots for
     * as long as the tasks take and the last of them starts late, and the slots follow from the rate. So the rate is
     * the largest solution of {@code rate * (work + master * time(rate)) = left}. If there is none, the sum is too
     * small for the job, and the tasks alone decide.
     */
    private static double forTheWork(MarketView market, JobProgress job, double left) {
        double money = left * market.rateUnitMillis();
        double work = Math.max(1, job.remaining());
        double forTasks = money / work;
        double rate = forTasks;
        for (int i = 0; i < ROUNDS && job.masterSlots() > 0; i++) {
            double slots = Math.min(
                    job.width(), SlotPrice.slots(rate, market.others(), market.capacity()) - job.masterSlots());
            if (slots < FEWEST_SLOTS) {
                return forTasks;
            }
            rate = money / (work + job.masterSlots() * (work / slots + job.taskMillis()));
        }
        return rate;
    }

    private double overTime(MarketView market, JobProgress job, double left, List<Double> others) {
        double width = Math.max(Math.max(job.width() + job.masterSlots(), market.wanted()), 1);
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

    /**
     * A rate of at most half of what the money that is left allows at the beginning of an epoch: then this epoch at the
     * same rate leaves as much for the next one. It is rounded down to a power of {@value #STEP}.
     */
    static double steadyRate(double left, MarketView market) {
        double most = left * market.rateUnitMillis() / (2 * market.capacity() * market.intervalMillis());
        double step = most <= 0 ? 0 : Math.pow(STEP, Math.floor(Math.log(most) / Math.log(STEP)));
        return Math.min(step, safeRate(left, market));
    }
}
