// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.quote;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Ranges of a job's finish and cost at a rate. The job is played against stretches of the price history, which begin
 * where the market was most like it is now, against the present prices held still, and with tasks that are shorter or
 * longer than expected. The ranges are quantiles of what came out. The one assumption is that the other accounts will
 * pay as they paid before. Deterministic.
 *
 * <p>In each stretch the job has its entitlement, {@link SlotPrice#slots}, or the slots that nobody used, if these are
 * more. Tasks are a fluid, and a stage of more than one wave ends between zero and one task later.
 */
public final class JobForecast {
    private static final double YEAR_MILLIS = 366.0 * 24 * 3_600_000;
    private static final int MOST_STARTS = 24;
    private static final int STEPS = 40;
    /** In standard deviations. The outer ones are those of 95 %, because the deviation is itself only estimated. */
    private static final double[] LENGTHS = {-1.96, -0.674, 0, 0.674, 1.96};
    /** In task lengths; a stage of n waves ends when the last straggler does. */
    private static final double[] TAILS = {0, 0.5, 1};

    private JobForecast() {}

    /**
     * The ranges at a rate.
     *
     * @param stages of the job, one or more
     * @param mostSlots slots that the job can use at once; 0 for no limit
     */
    public static JobEstimate at(double rate, List<Stage> stages, double mostSlots, MarketConditions conditions) {
        List<List<PriceSample>> paths = paths(conditions);
        int runs = paths.size() * LENGTHS.length * TAILS.length;
        double[] millis = new double[runs];
        double[] cost = new double[runs];
        int run = 0;
        for (List<PriceSample> path : paths) {
            for (int length = 0; length < LENGTHS.length; length++) {
                for (int tail = 0; tail < TAILS.length; tail++) {
                    Play play = new Play(path, rate, mostSlots, conditions);
                    for (Stage stage : stages) {
                        play.run(stage, Math.max(0.1, 1 + LENGTHS[length] * stage.spread()), TAILS[tail]);
                    }
                    millis[run] = play.now + conditions.intervalMillis() * tail / 2.0;
                    cost[run] = play.cost;
                    run++;
                }
            }
        }
        return new JobEstimate(range(millis), range(cost));
    }

    /**
     * The smallest rate at which nine of ten runs, or nineteen of twenty counting the early ones, end in time.
     *
     * @param withinMillis time from now to the wanted end
     * @param highest the highest rate to be considered
     * @return infinite if not even {@code highest} is enough
     */
    public static double rateFor(
            double withinMillis, List<Stage> stages, double mostSlots, MarketConditions conditions, double highest) {
        if (at(highest, stages, mostSlots, conditions).millis().most() > withinMillis) {
            return Double.POSITIVE_INFINITY;
        }
        double low = highest / 1e15;
        double high = highest;
        for (int i = 0; i < STEPS && high / low > 1.001; i++) {
            double middle = Math.sqrt(low * high);
            if (at(middle, stages, mostSlots, conditions).millis().most() > withinMillis) {
                low = middle;
            } else {
                high = middle;
            }
        }
        return high;
    }

    private static Range range(double[] values) {
        Arrays.sort(values);
        return new Range(quantile(values, 0.05), quantile(values, 0.5), quantile(values, 0.95));
    }

    private static double quantile(double[] sorted, double part) {
        return sorted[(int) Math.round(part * (sorted.length - 1))];
    }

    /** Half of the stretches that begin at prices closest to the present one, and the present prices held still. */
    private static List<List<PriceSample>> paths(MarketConditions conditions) {
        List<PriceSample> history = conditions.history();
        PriceSample now = conditions.now();
        List<Integer> starts = new ArrayList<>();
        for (int i = 0; i < history.size(); i++) {
            starts.add(i);
        }
        starts.sort((a, b) -> Double.compare(
                Math.abs(history.get(a).others() - now.others()),
                Math.abs(history.get(b).others() - now.others())));
        int near = (starts.size() + 1) / 2;
        int step = Math.max(1, near / MOST_STARTS);
        List<List<PriceSample>> paths = new ArrayList<>();
        for (int i = 0; i < near && paths.size() < MOST_STARTS; i += step) {
            int start = starts.get(i);
            List<PriceSample> path = new ArrayList<>(history.subList(start, history.size()));
            path.addAll(history.subList(0, start));
            paths.add(path);
        }
        int still = Math.max(1, paths.size() / 8);
        for (int i = 0; i < still; i++) {
            paths.add(List.of(new PriceSample(YEAR_MILLIS, now.others(), now.capacity(), now.idle())));
        }
        return paths;
    }

    /** One job on one stretch of prices, which begins again where it ends. */
    private static final class Play {
        private final List<PriceSample> path;
        private final double rate;
        private final double mostSlots;
        private final MarketConditions conditions;
        private int at;
        /** Samples that ended since the stretch was last begun. */
        private int ends;

        private double left;
        private double now;
        private double cost;

        Play(List<PriceSample> path, double rate, double mostSlots, MarketConditions conditions) {
            this.path = path;
            this.rate = rate;
            this.mostSlots = mostSlots;
            this.conditions = conditions;
            this.left = path.get(0).millis();
        }

        void run(Stage stage, double length, double tail) {
            if (now > YEAR_MILLIS) {
                return;
            }
            double started = now;
            double taskMillis = stage.taskMillis() * length;
            double work = stage.work() * length;
            double width = mostSlots > 0 ? Math.min(mostSlots, stage.width()) : stage.width();
            double most = 0;
            ends = 0;
            double cycleNow = now;
            double cycleCost = cost;
            double cycleWork = work;
            while (work > 1e-6 && now < YEAR_MILLIS) {
                PriceSample sample = path.get(at);
                double entitled = SlotPrice.slots(rate, sample.others(), sample.capacity());
                double slots = Math.min(width, Math.max(entitled, sample.idle()));
                double millis = slots > 0 ? Math.min(left, work / slots) : left;
                double charged = conditions.excessIsFree() ? Math.min(slots, entitled) : slots;
                cost += SlotPrice.cost(rate, charged, millis, conditions.rateUnitMillis());
                most = Math.max(most, slots);
                work -= slots * millis;
                pass(millis);
                if (ends == path.size()) {
                    // The stretch repeats from here on: whole repetitions need not be played.
                    double done = cycleWork - work;
                    double times = done > 0 ? Math.floor(work / done) : YEAR_MILLIS;
                    cost += times * (cost - cycleCost);
                    work -= times * done;
                    now += times * (now - cycleNow);
                    ends = 0;
                    cycleNow = now;
                    cycleCost = cost;
                    cycleWork = work;
                }
            }
            if (work > 1e-6) {
                now = Double.POSITIVE_INFINITY;
                return;
            }
            double waves = most == 0 ? 1 : stage.width() / most;
            double end = Math.max(now + (waves > 1.001 ? tail * taskMillis : 0), started + taskMillis);
            while (now + 1e-6 < end) {
                pass(Math.min(left, end - now));
            }
        }

        private void pass(double millis) {
            now += millis;
            left -= millis;
            if (left <= 1e-9) {
                at = (at + 1) % path.size();
                left = Math.max(1, path.get(at).millis());
                ends++;
            }
        }
    }
}
