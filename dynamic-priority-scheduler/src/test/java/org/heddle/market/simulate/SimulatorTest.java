// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.simulate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import org.heddle.market.TestTerms;
import org.heddle.market.model.amount.Credits;
import org.heddle.market.model.amount.SpendingRate;
import org.heddle.market.model.terms.MarketTerms;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The paper's experiments under a virtual clock, with the epoch meter and the engine of the scheduler. */
class SimulatorTest {
    private static final TestTerms PAPER = TestTerms.PAPER;
    private static final long T = PAPER.interval();

    @Test
    void budgetsRunOutAtTheExactInterval() {
        Simulator sim = new Simulator(PAPER.get(), 30).queue("a", "2", "1000").queue("b", "1", "10000");
        sim.submit("a", 10_000, T);
        sim.submit("b", 10_000, T);
        sim.run(24 * T);
        assertThat(sim.balance("a")).hasToString("40");
        sim.run(25 * T);
        assertThat(sim.balance("a")).hasToString("0");
        assertThat(sim.balance("b")).hasToString("9750");
        assertThat(sim.running("a")).isZero();
        assertThat(sim.running("b")).isEqualTo(30);
        sim.run(30 * T - 1);
        sim.setBudget("a", "10000");
        sim.setBudget("b", "10000");
        assertThat(sim.running("a")).isZero();
        sim.run(30 * T);
        assertThat(sim.running("a")).isEqualTo(20);
        assertThat(sim.running("b")).isEqualTo(10);
    }

    @Test
    void withoutCreditApplicationsAreServedInTheOrderInWhichTheyCame() {
        Simulator sim = new Simulator(PAPER.get(), 4).queue("a", "100", "0").queue("b", "1", "0");
        Simulator.Job a1 = sim.submit("a", 6, 1_000);
        Simulator.Job b1 = sim.submit("b", 6, 1_000);
        sim.run(500);
        assertThat(sim.running("a")).isEqualTo(4);
        sim.run(1_500);
        assertThat(sim.running("a")).isEqualTo(2);
        assertThat(sim.running("b")).isEqualTo(2);
        Simulator.Job a2 = sim.submit("a", 6, 1_000);
        sim.run(2_500);
        assertThat(sim.running("b")).isEqualTo(4);
        sim.runToEnd(100_000);
        assertThat(List.of(a1.endMillis(), b1.endMillis(), a2.endMillis())).containsExactly(2_000L, 3_000L, 5_000L);

        Simulator paid = new Simulator(PAPER.get(), 4).queue("a", "1", "0").queue("b", "1", "0");
        paid.submit("a", 1_000, 1_000);
        paid.submit("b", 1_000, 1_000);
        paid.run(T - 1);
        assertThat(paid.running("b")).isZero();
        paid.setBudget("b", "1000");
        paid.run(T);
        assertThat(paid.running("b")).isEqualTo(4);
    }

    /**
     * One interval that does not end, and lags do not count: at every moment every queue holds what it would under the
     * DRF scheduler.
     */
    @Test
    void withoutBoundariesRatesAreTheWeightsOfOurFairShares() {
        MarketTerms endless =
                PAPER.every(Duration.ofDays(100).toMillis()).withDeficit(0).get();
        for (int seed = 0; seed < 50; seed++) {
            Random random = new Random(seed);
            int slots = 5 + random.nextInt(60);
            boolean equal = seed % 2 == 0;
            Simulator market = new Simulator(endless, slots);
            Simulator fair = Simulator.withoutMarket(endless, slots);
            int queues = 2 + random.nextInt(6);
            for (int queue = 0; queue < queues; queue++) {
                String name = "q" + queue;
                String rate = equal ? "1" : String.valueOf(1 + random.nextInt(9));
                List.of(market, fair).forEach(sim -> sim.queue(name, rate, "1000000"));
                for (int job = random.nextInt(4); job >= 0; job--) {
                    int tasks = 1 + random.nextInt(80);
                    int millis = 100 * (1 + random.nextInt(60));
                    List.of(market, fair).forEach(sim -> sim.submit(name, tasks, millis));
                }
            }
            for (long at = 0; at < 60_000; at += 100) {
                market.run(at);
                fair.run(at);
                for (int queue = 0; queue < queues; queue++) {
                    assertThat(market.running("q" + queue))
                            .as("seed %d, queue %d at %d ms", seed, queue, at)
                            .isEqualTo(fair.running("q" + queue));
                }
            }
        }
    }

    /** Ten users, ten jobs each; user n has four times the rate during its job n (paper 4.4). */
    @Test
    void aBoostByFourReachesTheIdeal() {
        BoostScenario.Outcome outcome = BoostScenario.run();
        System.out.printf(Locale.ROOT, "boost in the simulator: %.4f%n", outcome.ratio());
        assertThat(outcome.ratio()).as("boost").isBetween(3.3077 * 0.98, 3.3077 * 1.02);
        assertThat(outcome.makespan()).as("makespan").isCloseTo(100, within(0.5));
    }

    @Test
    void eightyOfEightyLevelsAreDistinctAndInOrder() {
        levels(80, 120, 3_240, 3_240);
    }

    @Test
    @Tag("long-2")
    void aThousandOfAThousandLevelsAreDistinctAndInOrder() {
        levels(1_000, 10_000, 500_500, 150);
    }

    @Test
    void aHundredIntervalsAreEnoughForEveryLevel() {
        levels(80, 120, 3_240, 100);
        levels(1_000, 10_000, 500_500, 100);
    }

    /** Queue n bids n: what each got must be n's part of all, to one container and interval. */
    private static void levels(int queues, int slots, long price, int intervals) {
        Simulator sim = new Simulator(PAPER.every(1_000).get(), slots);
        long[] got = new long[queues];
        for (int n = 1; n <= queues; n++) {
            sim.queue("q%04d".formatted(n), new SpendingRate(n * 1_000_000L).toString(), "9000000000");
            sim.submit("q%04d".formatted(n), 1_000_000_000, 1_000);
        }
        for (int k = 0; k < intervals; k++) {
            sim.run(k * 1_000L);
            for (int n = 1; n <= queues; n++) {
                got[n - 1] += sim.running("q%04d".formatted(n));
            }
        }
        double worst = 0;
        for (int n = 1; n <= queues; n++) {
            double ideal = (double) n * slots * intervals / price;
            worst = Math.max(worst, Math.abs(got[n - 1] - ideal) / Math.max(1, 0.005 * ideal));
        }
        assertThat(Arrays.stream(got).sum()).isEqualTo((long) slots * intervals);
        assertThat(worst)
                .as("farthest from ideal, in container-intervals or half per cents")
                .isLessThanOrEqualTo(1);
        for (int n = 1; n < queues; n++) {
            assertThat(got[n]).as("queue %d after queue %d", n + 1, n).isGreaterThan(got[n - 1]);
        }
    }

    /** Tasks of 3.7 intervals that begin at odd times, three queues, one hundred intervals. */
    @Test
    void fidelityHoldsWhenTasksOutliveIntervals() {
        Simulator sim = new Simulator(PAPER.every(1_000).get(), 47);
        String[] names = {"a", "b", "c"};
        double[] rates = {1, 2.5, 6};
        long[] used = new long[3];
        for (int i = 0; i < 3; i++) {
            sim.queue(names[i], String.valueOf(rates[i]), "9000000000");
            sim.submit(names[i], 1_000_000, 3_700 + 100L * i);
        }
        int intervals = 1_000;
        for (int k = 0; k < intervals * 10; k++) {
            sim.run(k * 100L);
            for (int i = 0; i < 3; i++) {
                used[i] += sim.running(names[i]);
            }
        }
        for (int i = 0; i < 3; i++) {
            double ideal = rates[i] / 9.5 * 47 * intervals * 10;
            assertThat(used[i]).as(names[i]).isBetween(Math.round(ideal * 0.995) - 37, Math.round(ideal * 1.005) + 37);
        }
    }

    @Test
    void whoComesLateIsServedAtOnceButNobodyElseIsLeftWithNothing() {
        Simulator sim = new Simulator(PAPER.every(2_000).get(), 10);
        sim.queue("rich", "300", "9000000000");
        sim.queue("poor", "100", "9000000000");
        sim.submit("rich", 1_000, 10_000);
        sim.run(5_000);
        sim.submit("poor", 1_000, 10_000);
        for (int second = 20; second < 600; second++) {
            sim.run(second * 1_000L);
            assertThat(sim.running("poor")).as("after %d s", second).isBetween(1L, 5L);
        }
    }

    @Test
    void whatIsChargedIsWhatWasServedWhereEverybodyIsHungry() {
        Simulator sim = new Simulator(PAPER.every(1_000).get(), 7);
        long[] rates = {1, 3, 9, 20};
        for (int i = 0; i < rates.length; i++) {
            sim.queue("q" + i, String.valueOf(rates[i]), "1000000");
            sim.submit("q" + i, 1_000_000, 1_000);
        }
        int intervals = 330;
        long[] got = new long[rates.length];
        for (int k = 0; k < intervals; k++) {
            sim.run(k * 1_000L);
            for (int i = 0; i < rates.length; i++) {
                got[i] += sim.running("q" + i);
            }
        }
        sim.run(intervals * 1_000L);
        for (int i = 0; i < rates.length; i++) {
            double spent = Credits.of(1_000_000).minus(sim.balance("q" + i)).nanos() / 1e9;
            assertThat(spent).as("queue %d", i).isCloseTo((double) rates[i] * got[i], within(rates[i] * 1.01));
        }
    }
}
