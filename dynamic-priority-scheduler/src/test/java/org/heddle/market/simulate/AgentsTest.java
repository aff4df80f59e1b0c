// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.heddle.market.TestTerms;
import org.heddle.market.agent.AgentEvent;
import org.heddle.market.agent.AgentLoop;
import org.heddle.market.agent.BudgetStrategy;
import org.heddle.market.agent.DeadlineStrategy;
import org.heddle.market.agent.RateStrategy;
import org.heddle.market.model.terms.MarketTerms;
import org.heddle.market.quote.SlotPrice;
import org.junit.jupiter.api.Test;

/** Agents in markets whose other payers change their rates at every epoch. */
class AgentsTest {
    private static final MarketTerms TERMS = TestTerms.PAPER.unit(3_600_000).get();
    private static final long T = TERMS.intervalMillis();
    private static final int MARKETS = Integer.getInteger("heddle.test.markets", 40);

    private static final double HIGHEST = 1_000;

    /** A job of random size that was submitted to a market with a past. */
    private static final class Run {
        final PayingCrowd crowd;
        final SimulatedAccess access;
        final Simulator.Job job;
        final long submitted;
        final long tasks;
        final long taskMillis;
        final List<AgentEvent> events = new ArrayList<>();

        Run(long seed) {
            this(seed, 0);
        }

        /** @param masterSlots 1 for a job with an ApplicationMaster, else 0 */
        Run(long seed, int masterSlots) {
            crowd = new PayingCrowd(seed, TERMS);
            Simulator sim = crowd.sim();
            List<Double> past = new ArrayList<>();
            sim.observe(closed -> past.add(closed.price() / 1e9));
            sim.run(100 * T);
            tasks = 20L + crowd.random().nextInt(600);
            taskMillis = (long) (T * crowd.uniform(0.3, 4));
            submitted = sim.nowMillis();
            job = masterSlots > 0
                    ? sim.submitWithMaster(PayingCrowd.OWN, tasks, () -> taskMillis)
                    : sim.submit(PayingCrowd.OWN, tasks, taskMillis);
            double guess = taskMillis * crowd.uniform(0.7, 1.3);
            access = new SimulatedAccess(crowd, TERMS, List.copyOf(past), job, tasks, taskMillis, guess, masterSlots);
        }

        void agent(RateStrategy strategy, long most) {
            AgentLoop loop = new AgentLoop(access, access, strategy, false, events::add);
            for (long at = submitted; loop.step() && at < most; at += T / 2) {
                crowd.sim().run(at + T / 2);
            }
            loop.stop();
            crowd.sim().run(crowd.sim().nowMillis() + 3 * T);
        }

        /** The time that the job takes if nobody pays nearly as much. */
        long shortest() {
            access.setRate(HIGHEST);
            while (job.endMillis() < 0) {
                crowd.sim().run(crowd.sim().nowMillis() + T);
            }
            return job.endMillis() - submitted;
        }

        /**
         * The lowest cost of the job's work until then for somebody who knows what the others will pay, whose tasks can
         * be divided at will, and whose slots come and go at once.
         */
        double clairvoyant(long until) {
            double work = (double) tasks * taskMillis;
            double low = 0;
            double high = 1e12;
            for (int i = 0; i < 100; i++) {
                double marginal = (low + high) / 2;
                if (bought(marginal, until)[0] < work) {
                    low = marginal;
                } else {
                    high = marginal;
                }
            }
            return bought(high, until)[1];
        }

        private double[] bought(double marginal, long until) {
            double work = 0;
            double cost = 0;
            for (double[] epoch : access.path) {
                double millis = Math.min((double) T, until - epoch[0]);
                if (millis > 0) {
                    double enough =
                            SlotPrice.rateFor(Math.min((double) tasks, crowd.slots() * 0.999), epoch[1], crowd.slots());
                    double rate = Math.min(enough, SlotPrice.rateAtMarginalCost(marginal, epoch[1]));
                    double slots = SlotPrice.slots(rate, epoch[1], crowd.slots());
                    work += slots * millis;
                    cost += SlotPrice.cost(rate, slots, millis, (double) TERMS.rateUnitMillis());
                }
            }
            return new double[] {work, cost};
        }
    }

    @Test
    void jobsEndInTimeForLittleMoreThanAClairvoyantWouldPay() {
        int met = 0;
        double paid = 0;
        for (int seed = 0; seed < MARKETS; seed++) {
            long shortest = new Run(seed).shortest();
            Run run = new Run(seed);
            long finish = run.submitted + (long) (shortest * run.crowd.uniform(1.2, 5)) + 2 * T;
            run.agent(new DeadlineStrategy(finish, Double.POSITIVE_INFINITY, HIGHEST), finish + 1_000 * T);
            double clairvoyant = run.clairvoyant(finish);
            met += run.job.endMillis() >= 0 && run.job.endMillis() <= finish ? 1 : 0;
            paid += run.access.spent() / clairvoyant / MARKETS;
        }
        System.out.printf(Locale.ROOT, "deadlines: %d of %d met, at %.3f of the lowest cost%n", met, MARKETS, paid);
        assertThat(met).as("jobs that ended in time").isGreaterThanOrEqualTo(MARKETS * 95 / 100);
        assertThat(paid).as("mean of cost / clairvoyant cost").isLessThanOrEqualTo(1.2);
    }

    @Test
    void aBudgetIsNeverOverspent() {
        double used = 0;
        for (int seed = 0; seed < MARKETS; seed++) {
            Run run = new Run(seed);
            double level = run.crowd.usual();
            double share = run.crowd.uniform(0.02, 0.6);
            double cost =
                    SlotPrice.cost(share / (1 - share) * level, (double) run.tasks, (double) run.taskMillis, (double)
                            TERMS.rateUnitMillis());
            double spend = cost * run.crowd.uniform(0.3, 1.5);
            long until = seed % 2 == 0 ? 0 : run.submitted + (long) (T * run.crowd.uniform(5, 100));
            run.agent(new BudgetStrategy(spend, until, HIGHEST), run.submitted + 2_000 * T);
            assertThat(run.access.spent()).as("seed %d", seed).isLessThanOrEqualTo(spend);
            used += run.access.spent() / spend / MARKETS;
        }
        System.out.printf(Locale.ROOT, "budgets: none of %d overspent, %.2f of them used%n", MARKETS, used);
        assertThat(used).isGreaterThan(0.6);
    }

    /**
     * Few slots for the job, so that its master's slot is a good part of the cost: of 24 jobs four are not paid for to
     * the end if the agent does not count it.
     */
    @Test
    void aBudgetAlsoPaysForTheMasterAndItsRateFallsInFewSteps() {
        int paidToTheEnd = 0;
        int most = 0;
        int markets = MARKETS * 3 / 10;
        for (int seed = 0; seed < markets; seed++) {
            Run run = new Run(seed, 1);
            double slots = 2 + run.crowd.uniform(0, 0.3) * run.crowd.slots();
            double rate = SlotPrice.rateFor(slots, run.crowd.usual(), run.crowd.slots());
            double work = (double) run.tasks * run.taskMillis * slots / (slots - 1);
            double spend = 1.6 * SlotPrice.cost(rate, 1, work, (double) TERMS.rateUnitMillis());
            run.agent(new BudgetStrategy(spend, 0, HIGHEST), run.submitted + 5_000 * T);
            assertThat(run.access.spent()).as("seed %d", seed).isLessThanOrEqualTo(spend);
            boolean spentBeforeTheEnd =
                    run.events.stream().anyMatch(event -> event.reason().endsWith("credits are spent"));
            paidToTheEnd += run.job.endMillis() >= 0 && !spentBeforeTheEnd ? 1 : 0;
            int sets = (int) run.events.stream()
                    .filter(event -> event.kind() == AgentEvent.Kind.SET)
                    .count();
            most = Math.max(most, sets);
        }
        assertThat(paidToTheEnd).as("jobs that were paid for to the end").isEqualTo(markets);
        assertThat(most).as("changes of the rate in one job").isLessThan(100);
    }
}
