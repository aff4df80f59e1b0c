// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.heddle.market.TestTerms;
import org.heddle.market.ledger.query.PriceForecast;
import org.heddle.market.model.amount.Credits;
import org.heddle.market.model.amount.Slots;
import org.heddle.market.model.amount.SpendingRate;
import org.heddle.market.model.status.PricePoint;
import org.heddle.market.model.status.Quote;
import org.heddle.market.model.status.QuoteRequest;
import org.heddle.market.model.terms.MarketTerms;
import org.heddle.market.quote.Stage;
import org.junit.jupiter.api.Test;

/**
 * Quotes for jobs of random shape in markets whose payers change their rates, compared with what the jobs then cost.
 */
class QuoteReplayTest {
    private static final int MARKETS = Integer.getInteger("heddle.test.markets", 12);
    private static final int JOBS = 10;
    private static final MarketTerms TERMS = TestTerms.PAPER.unit(3_600_000).get();
    private static final long T = TERMS.intervalMillis();

    private record Replayed(Quote quote, double cost, long millis) {
        boolean costIsInside() {
            return cost * 1e9 >= quote.leastCost().nanos() - 1
                    && cost * 1e9 <= quote.mostCost().nanos() + 1;
        }

        boolean endIsInside() {
            return millis >= quote.shortest().orElseThrow().toMillis()
                    && millis <= quote.longest().orElse(Duration.ofDays(999)).toMillis();
        }

        double costWidth() {
            return quote.mostCost().nanos()
                    / Math.max(1.0, (double) quote.leastCost().nanos());
        }

        double endWidth() {
            return quote.longest().orElse(Duration.ofDays(999)).toMillis()
                    / (double) quote.shortest().orElseThrow().toMillis();
        }
    }

    @Test
    void nineOfTenJobsCostAndEndAsQuoted() {
        List<Replayed> replayed = new ArrayList<>();
        for (int seed = 0; seed < MARKETS; seed++) {
            replay(seed, replayed);
        }
        assertThat(replayed).hasSize(MARKETS * JOBS);
        System.out.printf(
                Locale.ROOT,
                "quotes: of %d jobs, cost inside the range %d, end inside the range %d%n",
                replayed.size(),
                replayed.stream().filter(Replayed::costIsInside).count(),
                replayed.stream().filter(Replayed::endIsInside).count());
        assertThat(replayed.stream().filter(Replayed::costIsInside).count())
                .as("jobs of %d whose cost was inside the range; outside: %s", replayed.size(), outside(replayed))
                .isGreaterThanOrEqualTo(replayed.size() * 9L / 10);
        assertThat(replayed.stream().filter(Replayed::endIsInside).count())
                .as("jobs of %d whose end was inside the range", replayed.size())
                .isGreaterThanOrEqualTo(replayed.size() * 9L / 10);
        // A range from nothing to infinity would hold everything.
        assertThat(median(replayed.stream().mapToDouble(Replayed::costWidth).toArray()))
                .isLessThan(2.5);
        assertThat(median(replayed.stream().mapToDouble(Replayed::endWidth).toArray()))
                .isLessThan(3.3);
    }

    private static List<String> outside(List<Replayed> replayed) {
        return replayed.stream()
                .filter(each -> !each.costIsInside())
                .map(each -> each.cost() + " not in " + each.quote().leastCost() + " to "
                        + each.quote().mostCost())
                .limit(5)
                .toList();
    }

    static double median(double[] values) {
        java.util.Arrays.sort(values);
        return values[values.length / 2];
    }

    private static void replay(long seed, List<Replayed> replayed) {
        PayingCrowd crowd = new PayingCrowd(seed, TERMS);
        Simulator sim = crowd.sim();
        List<PricePoint> history = new ArrayList<>();
        sim.observe(closed -> history.add(new PricePoint(
                history.size(),
                1,
                Instant.ofEpochMilli(sim.nowMillis()),
                closed.millis(),
                new SpendingRate(closed.price()),
                new Slots(closed.capacity()),
                new Slots(closed.used()),
                Credits.ZERO,
                closed.paying())));
        sim.run(150 * T);
        for (int job = 0; job < JOBS; job++) {
            sim.run(sim.nowMillis() + (long) (T * crowd.uniform(3, 12)));
            replayed.add(replayOne(crowd, history));
        }
    }

    private static Replayed replayOne(PayingCrowd crowd, List<PricePoint> history) {
        Simulator sim = crowd.sim();
        // A share of 5 to 50 % of the cluster, of 1 to 6 waves and tasks of half an interval to four.
        double share = crowd.uniform(0.05, 0.5);
        String rate = PayingCrowd.rate(share / (1 - share) * crowd.usual());
        double taskMillis = T * crowd.uniform(0.5, 4);
        int tasks = (int) Math.ceil(share * crowd.slots() * crowd.uniform(1, 6));
        Stage stage = new Stage(tasks, taskMillis, Stage.DEFAULT_SPREAD, 1);
        Quote quote = PriceForecast.quote(
                new QuoteRequest(PayingCrowd.OWN, SpendingRate.parse(rate), List.of(stage), Slots.ZERO, 0),
                TERMS,
                history,
                sim.meter().division().price(),
                0,
                crowd.slots() * Slots.NANOS,
                Credits.of(1_000_000),
                new SpendingRate(Long.MAX_VALUE / 2));
        double before = crowd.spent();
        long submitted = sim.nowMillis();
        sim.setSpending(PayingCrowd.OWN, rate);
        double length = Math.max(0.3, 1 + Stage.DEFAULT_SPREAD * crowd.random().nextGaussian());
        Simulator.Job job = sim.submit(PayingCrowd.OWN, tasks, (long) (taskMillis * length));
        while (job.endMillis() < 0) {
            sim.run(sim.nowMillis() + T);
        }
        sim.setSpending(PayingCrowd.OWN, "0");
        sim.run(sim.nowMillis() + 2 * T);
        return new Replayed(quote, crowd.spent() - before, job.endMillis() - submitted);
    }
}
