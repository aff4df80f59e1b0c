// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.LongSupplier;
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
 * With {@code -Dheddle.test.trace=FILE}, a sample of SWIM, the shapes are those of its jobs: a quote is made from an
 * earlier run, whose tasks had other lengths.
 */
class QuoteReplayTest {
    private static final int MARKETS = Integer.getInteger("heddle.test.markets", 12);
    private static final int JOBS = 10;
    private static final MarketTerms TERMS = TestTerms.PAPER.unit(3_600_000).get();
    private static final long T = TERMS.intervalMillis();
    private static final List<String> TRACE = trace();

    private static List<String> trace() {
        String file = System.getProperty("heddle.test.trace", "");
        try {
            return file.isEmpty() ? List.of() : Files.readAllLines(Path.of(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private record Replayed(Quote quote, double cost, long millis) {
        boolean costIsInside() {
            return cost * 1e9 >= quote.leastCost().nanos() - 1
                    && cost * 1e9 <= quote.mostCost().nanos() + 1;
        }

        boolean endIsInside() {
            return millis >= quote.shortest().orElseThrow().toMillis()
                    && millis <= quote.longest().orElse(Duration.ofDays(999)).toMillis();
        }

        /** As a part of the value. */
        double costWidth() {
            return (quote.mostCost().nanos() - quote.leastCost().nanos())
                    / Math.max(1.0, (double) quote.cost().nanos());
        }

        double endWidth() {
            return (quote.longest().orElse(Duration.ofDays(999)).toMillis()
                            - quote.shortest().orElseThrow().toMillis())
                    / (double) quote.duration().orElse(Duration.ofDays(999)).toMillis();
        }
    }

    @Test
    void nineOfTenJobsCostAndEndAsQuoted() {
        List<Replayed> replayed = new ArrayList<>();
        for (int seed = 0; seed < MARKETS; seed++) {
            replay(seed, replayed);
        }
        assertThat(replayed).hasSize(MARKETS * JOBS);
        double costWidth =
                median(replayed.stream().mapToDouble(Replayed::costWidth).toArray());
        double endWidth =
                median(replayed.stream().mapToDouble(Replayed::endWidth).toArray());
        System.out.printf(
                Locale.ROOT,
                "quotes: of %d jobs, cost inside the range %d, end inside the range %d; median widths %.2f of the cost,"
                        + " %.2f of the time%n",
                replayed.size(),
                replayed.stream().filter(Replayed::costIsInside).count(),
                replayed.stream().filter(Replayed::endIsInside).count(),
                costWidth,
                endWidth);
        assertThat(replayed.stream().filter(Replayed::costIsInside).count())
                .as("jobs of %d whose cost was inside the range; outside: %s", replayed.size(), outside(replayed))
                .isGreaterThanOrEqualTo(replayed.size() * 9L / 10);
        assertThat(replayed.stream().filter(Replayed::endIsInside).count())
                .as("jobs of %d whose end was inside the range", replayed.size())
                .isGreaterThanOrEqualTo(replayed.size() * 9L / 10);
        // A range from nothing to infinity would hold everything.
        assertThat(costWidth).isLessThanOrEqualTo(1);
        assertThat(endWidth).isLessThanOrEqualTo(1.6);
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

    /** What a job is expected to be, and the lengths that its tasks then have. */
    private record Shape(List<Stage> stages, LongSupplier lengths) {}

    /** A stage of 1 to 6 waves at this share of the cluster and tasks of half an interval to four. */
    private static Shape drawn(PayingCrowd crowd, double share) {
        double taskMillis = T * crowd.uniform(0.5, 4);
        int tasks = (int) Math.ceil(share * crowd.slots() * crowd.uniform(1, 6));
        double length = Math.max(0.3, 1 + Stage.DEFAULT_SPREAD * crowd.random().nextGaussian());
        return new Shape(
                List.of(new Stage(tasks, taskMillis, Stage.DEFAULT_SPREAD, 1)), () -> (long) (taskMillis * length));
    }

    /** A job of the trace: a map reads 128 MB at 10 MB/s, a reduce has 256 MB at 8 MB/s, both lognormal. */
    private static Shape traced(PayingCrowd crowd, String line) {
        String[] fields = line.strip().split("\\s+", -1);
        double input = Double.parseDouble(fields[3]);
        double shuffle = Double.parseDouble(fields[4]);
        double reduced = shuffle + Double.parseDouble(fields[5]);
        List<Double> now = new ArrayList<>();
        List<Stage> stages = new ArrayList<>();
        stages.add(stage(crowd, input, 128e6, 10e6, 2_000, now));
        if (shuffle > 0) {
            stages.add(stage(crowd, reduced, 256e6, 8e6, 400, now));
        }
        Iterator<Double> lengths = now.iterator();
        return new Shape(stages, () -> lengths.next().longValue());
    }

    private static Stage stage(
            PayingCrowd crowd, double bytes, double each, double speed, int most, List<Double> lengths) {
        int tasks = (int) Math.min(most, Math.max(1, Math.ceil(bytes / each)));
        double before = 0;
        for (int i = 0; i < tasks; i++) {
            double seconds = Math.min(each, bytes / tasks) / speed;
            before += 1e3 * Math.max(3, seconds * Math.exp(0.4 * crowd.random().nextGaussian()) + 2);
            lengths.add(1e3
                    * Math.max(3, seconds * Math.exp(0.4 * crowd.random().nextGaussian()) + 2));
        }
        return new Stage(tasks, before / tasks, Stage.DEFAULT_SPREAD, 1);
    }

    private static Replayed replayOne(PayingCrowd crowd, List<PricePoint> history) {
        Simulator sim = crowd.sim();
        double share = crowd.uniform(0.05, 0.5);
        String rate = PayingCrowd.rate(share / (1 - share) * crowd.usual());
        Shape shape = TRACE.isEmpty()
                ? drawn(crowd, share)
                : traced(crowd, TRACE.get(crowd.random().nextInt(TRACE.size())));
        Quote quote = PriceForecast.quote(
                new QuoteRequest(PayingCrowd.OWN, SpendingRate.parse(rate), shape.stages(), Slots.ZERO, 0),
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
        Simulator.Job job = null;
        for (Stage stage : shape.stages()) {
            job = sim.submit(PayingCrowd.OWN, stage.tasks(), shape.lengths(), 1);
        }
        while (Objects.requireNonNull(job).endMillis() < 0) {
            sim.run(sim.nowMillis() + T);
        }
        sim.setSpending(PayingCrowd.OWN, "0");
        sim.run(sim.nowMillis() + 2 * T);
        return new Replayed(quote, crowd.spent() - before, job.endMillis() - submitted);
    }
}
