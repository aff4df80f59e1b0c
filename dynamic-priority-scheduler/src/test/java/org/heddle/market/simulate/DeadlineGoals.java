// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import org.heddle.market.TestTerms;
import org.heddle.market.agent.AgentLoop;
import org.heddle.market.agent.DeadlineStrategy;
import org.heddle.market.model.terms.MarketTerms;
import org.junit.jupiter.api.Test;

/**
 * The deadline agent, for jobs and competitors that a seed draws, beside the cheapest rate that never changes and meets
 * the same time: that one is found by trying, so it knows what will happen. Takes minutes.
 */
class DeadlineGoals {
    private static final MarketTerms TERMS = TestTerms.PAPER.unit(3_600_000).get();
    private static final long T = TERMS.intervalMillis();
    private static final int SEEDS = Integer.getInteger("heddle.test.markets", 8);
    private static final long FIRST = Long.getLong("heddle.test.first", 1_000);
    private static final double HIGHEST = 1_000;
    private static final double LEAST = 1e-6;
    private static final int TRIES = 12;
    private static final boolean VERBOSE = Boolean.getBoolean("heddle.test.verbose");

    private enum Kind {
        MAPS,
        SKEWED,
        SPARK,
        FAILING_TASKS,
        FAILED_ATTEMPT,
        LONG_TASKS,
        OTHERS_DOUBLE,
        OTHERS_TENFOLD,
        OTHERS_LEAVE,
        OTHERS_COME,
        NOBODY_PAYS
    }

    /** What an agent, or a rate, made of a job. */
    private record Outcome(boolean met, double cost) {}

    /** A market with a past, and a job that was submitted to it. */
    private static final class Run implements AutoCloseable {
        final Kind kind;
        final PayingCrowd crowd;
        final SimulatedYarn yarn;
        final SimulatedAccess access;
        final Simulator.Job job;
        final long submitted;
        final double patience;

        Run(long seed, Kind kind) throws IOException {
            this.kind = kind;
            this.crowd = new PayingCrowd(seed, TERMS);
            Random random = new Random(seed * 31 + kind.name().hashCode());
            Simulator sim = crowd.sim();
            List<Double> past = new ArrayList<>();
            sim.observe(closed -> past.add(closed.price() / 1e9));
            if (kind == Kind.NOBODY_PAYS || kind == Kind.OTHERS_COME) {
                crowd.times(kind == Kind.NOBODY_PAYS ? 0 : 0.2);
            }
            sim.run(100 * T);
            submitted = sim.nowMillis();
            yarn = new SimulatedYarn(sim, crowd.slots(), kind == Kind.SPARK);
            int tasks = tasks(random);
            job = yarn.submit(PayingCrowd.OWN);
            patience = 1.5 + 2.5 * random.nextDouble();
            access = new SimulatedAccess(crowd, TERMS, List.copyOf(past), job, tasks, T, T, 1);
        }

        private int tasks(Random random) {
            double mean = T * (0.5 + 2.5 * random.nextDouble());
            if (kind == Kind.SPARK) {
                int stages = 6 + random.nextInt(7);
                int each = 30 + random.nextInt(31);
                for (int i = 0; i < stages * each; i++) {
                    yarn.task(i / each, false, (long) (mean * (0.5 + random.nextDouble())));
                }
                return stages * each;
            }
            int tasks = kind == Kind.LONG_TASKS ? 30 + random.nextInt(30) : 100 + random.nextInt(400);
            for (int i = 0; i < tasks; i++) {
                double usual = kind == Kind.LONG_TASKS ? T * (30 + 60 * random.nextDouble()) : mean;
                long length = (long) (usual * (0.5 + random.nextDouble()));
                if (kind == Kind.FAILING_TASKS && random.nextDouble() < 0.15) {
                    yarn.task(0, false, 1 + (long) (length * random.nextDouble()), length);
                } else {
                    yarn.task(0, false, length);
                }
            }
            if (kind == Kind.SKEWED) {
                for (int i = 0; i < 20; i++) {
                    yarn.task(0, true, i == 7 ? 40 * T : 4 * T);
                }
            }
            if (kind == Kind.FAILED_ATTEMPT) {
                yarn.failsAfter(tasks / 2);
            }
            return tasks;
        }

        /** Lets the others change while the job runs. */
        void surprise(long finish) {
            long span = finish - submitted;
            switch (kind) {
                case OTHERS_DOUBLE -> crowd.sim().at(submitted + span / 2, () -> crowd.times(2));
                case OTHERS_TENFOLD -> crowd.sim().at(submitted + span / 2, () -> crowd.times(10));
                case OTHERS_LEAVE -> crowd.sim().at(submitted + span * 3 / 10, () -> crowd.times(0));
                case OTHERS_COME -> crowd.sim().at(submitted + span * 3 / 10, () -> crowd.times(1));
                default -> {}
            }
        }

        /** The time that the job takes at the highest rate. */
        long shortest() {
            access.setRate(HIGHEST);
            while (job.endMillis() < 0) {
                crowd.sim().run(crowd.sim().nowMillis() + T);
            }
            return job.endMillis() - submitted;
        }

        Outcome constant(double rate, long finish) {
            surprise(finish);
            access.setRate(rate);
            while (job.endMillis() < 0 && crowd.sim().nowMillis() < finish) {
                crowd.sim().run(crowd.sim().nowMillis() + T / 2);
            }
            access.setRate(0);
            return outcome(finish);
        }

        Outcome agent(long finish, double maxCost) {
            surprise(finish);
            AgentLoop loop = new AgentLoop(
                    access, yarn.progress(), new DeadlineStrategy(finish, maxCost, HIGHEST), false, event -> {
                        if (VERBOSE) {
                            System.out.println((event.atMillis() - submitted) + " " + event);
                        }
                    });
            for (long at = submitted; loop.step() && at < finish + 20 * T; at += T / 2) {
                crowd.sim().run(at + T / 2);
            }
            loop.stop();
            return outcome(finish);
        }

        private Outcome outcome(long finish) {
            crowd.sim().run(crowd.sim().nowMillis() + 3 * T);
            boolean met = job.endMillis() >= 0 && job.endMillis() <= finish;
            return new Outcome(met, access.spent());
        }

        @Override
        public void close() {
            yarn.close();
        }
    }

    private static long finish(long seed, Kind kind) throws IOException {
        try (Run run = new Run(seed, kind)) {
            return run.submitted + (long) (run.shortest() * run.patience) + 2 * T;
        }
    }

    private static Outcome constant(long seed, Kind kind, double rate, long finish) throws IOException {
        try (Run run = new Run(seed, kind)) {
            return run.constant(rate, finish);
        }
    }

    private static Outcome agent(long seed, Kind kind, double maxCost, long finish) throws IOException {
        try (Run run = new Run(seed, kind)) {
            return run.agent(finish, maxCost);
        }
    }

    private static Outcome cheapest(long seed, Kind kind, long finish) throws IOException {
        double low = Math.log(LEAST);
        double high = Math.log(HIGHEST);
        Outcome best = constant(seed, kind, HIGHEST, finish);
        for (int i = 0; i < TRIES; i++) {
            double middle = i == 0 ? low : (low + high) / 2;
            Outcome tried = constant(seed, kind, Math.exp(middle), finish);
            if (tried.met()) {
                high = middle;
                best = tried;
                if (i == 0) {
                    return best;
                }
            } else {
                low = middle;
            }
        }
        return best;
    }

    @Test
    void jobsEndInTimeForLittleMoreThanTheCheapestRate() throws IOException {
        int feasible = 0;
        int met = 0;
        List<Double> all = new ArrayList<>();
        for (Kind kind : Kind.values()) {
            int of = 0;
            int inTime = 0;
            List<Double> ratios = new ArrayList<>();
            for (long seed = FIRST; seed < FIRST + SEEDS; seed++) {
                long finish = finish(seed, kind);
                Outcome least = cheapest(seed, kind, finish);
                if (!least.met()) {
                    continue;
                }
                of++;
                Outcome agent = agent(seed, kind, Double.POSITIVE_INFINITY, finish);
                inTime += agent.met() ? 1 : 0;
                ratios.add(agent.cost() / Math.max(1e-9, least.cost()));
                double limit = least.cost() * (0.2 + 1.3 * new Random(seed).nextDouble());
                assertThat(agent(seed, kind, limit, finish).cost())
                        .as("what was paid of at most %s, %s, seed %d", limit, kind, seed)
                        .isLessThanOrEqualTo(limit);
            }
            feasible += of;
            met += inTime;
            System.out.printf(
                    Locale.ROOT,
                    "%s: %d of %d in time, cost / cheapest rate: median %.2f, 90th percentile %.2f, at most 1.25: %d%n",
                    kind,
                    inTime,
                    of,
                    quantile(ratios, 0.5),
                    quantile(ratios, 0.9),
                    ratios.stream().filter(ratio -> ratio <= 1.25).count());
            if (kind != Kind.OTHERS_LEAVE) { // the cheapest rate there waits until they leave
                all.addAll(ratios);
            }
        }
        System.out.printf(
                Locale.ROOT,
                "all: %d of %d in time, cost / cheapest rate: median %.2f, at most 1.25: %d of %d%n",
                met,
                feasible,
                quantile(all, 0.5),
                all.stream().filter(ratio -> ratio <= 1.25).count(),
                all.size());
        assertThat(met).as("jobs in time, of %d", feasible).isGreaterThanOrEqualTo(feasible * 95 / 100);
        assertThat(quantile(all, 0.5))
                .as("median of cost / cheapest constant rate")
                .isLessThanOrEqualTo(1.25);
    }

    private static double quantile(List<Double> values, double part) {
        double[] sorted = values.stream().mapToDouble(Double::doubleValue).toArray();
        Arrays.sort(sorted);
        return sorted.length == 0
                ? Double.NaN
                : sorted[(int) Math.min(sorted.length - 1, Math.floor(part * sorted.length))];
    }
}
