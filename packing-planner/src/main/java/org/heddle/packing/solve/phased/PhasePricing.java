// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.solve.phased;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import org.heddle.packing.model.Role;
import org.heddle.packing.solve.JobTable;
import org.heddle.packing.solve.SolveContext;

/**
 * The pricing problem of the phased plan as a covering problem: given a price per job, which phase earns
 * most per second? For a fixed length T that is a knapsack of N slots; with overcommit the two capacity
 * rules are added up with a weight, which can only let more in. The length is found by branch and bound
 * over intervals: a phase in (a, b] earns at most what fits at b, divided by a.
 *
 * <p>Prices divided by the best earning are a feasible dual solution, so their sum is a lower bound on
 * every phased plan (Farley 1990).
 */
final class PhasePricing {
    private static final double[] WEIGHTS = {0.5, 0.35, 0.67, 0.2, 0.8, 1, 0};
    private static final double[] NO_OVERCOMMIT = {0.5};

    private final JobTable table;
    private final double[] weights;
    private final double shortest;
    private final double[] size;
    private final Integer[] order;

    PhasePricing(JobTable table) {
        this.table = table;
        boolean overcommit = false;
        double least = Double.POSITIVE_INFINITY;
        for (int j = 0; j < table.jobs; j++) {
            overcommit |= table.mayHost(j);
            least = Math.min(least, table.fastest(j));
        }
        weights = overcommit ? WEIGHTS : NO_OVERCOMMIT;
        shortest = least;
        size = new double[table.jobs];
        order = new Integer[table.jobs];
    }

    /** An interval of phase lengths with what can be earned per second in it. */
    private record Interval(double from, double to, double worth, double most) {}

    /**
     * @param most an upper bound of price per second over all phases up to the longest
     * @param sets promising sets of jobs, best first
     */
    record Answer(double most, List<int[]> sets) {}

    @SuppressWarnings("ArrayRecordComponent") // a pair to sort by, never compared
    private record Candidate(double rate, int[] jobs) {}

    /**
     * @param prices per job, &gt;= 0
     * @param longest length beyond which no phase is of interest, seconds
     * @param whole whether to count whole jobs only (slower and sharper)
     */
    Answer best(double[] prices, double longest, boolean whole, SolveContext context) {
        PriorityQueue<Interval> open = new PriorityQueue<>(Comparator.comparingDouble(i -> -i.most()));
        List<Candidate> found = new ArrayList<>();
        double achieved = 0;
        double step = Math.pow(longest / shortest, 1.0 / 64);
        double from = shortest * (1 - 1e-12);
        for (int i = 0; i < 64 && from < longest; i++) {
            double to = i == 63 ? longest * (1 + 1e-9) : Math.max(from * step, from * (1 + 1e-9));
            double worth = worth(prices, to, whole, found);
            achieved = Math.max(achieved, worth / to);
            open.add(new Interval(from, to, worth, worth / from));
            from = to;
        }
        int turns = 0;
        while (!open.isEmpty() && open.peek().most() > achieved * (1 + 2e-5) && turns++ < 4_000) {
            if ((turns & 63) == 0 && context.mustStop()) {
                break;
            }
            Interval wide = open.remove();
            double middle = Math.sqrt(wide.from() * wide.to());
            if (middle <= wide.from() || middle >= wide.to()) {
                open.add(wide);
                break;
            }
            double worth = worth(prices, middle, whole, found);
            achieved = Math.max(achieved, worth / middle);
            open.add(new Interval(wide.from(), middle, worth, worth / wide.from()));
            open.add(new Interval(middle, wide.to(), wide.worth(), wide.worth() / middle));
        }
        found.sort(Comparator.comparingDouble(c -> -c.rate()));
        List<int[]> sets = found.stream().map(Candidate::jobs).limit(40).toList();
        return new Answer(
                open.isEmpty() ? achieved : Math.max(achieved, open.peek().most()), sets);
    }

    /** The most that fits into a phase of this length, from above; notes one set that (nearly) fits. */
    private double worth(double[] prices, double seconds, boolean whole, List<Candidate> found) {
        double least = Double.POSITIVE_INFINITY;
        double bestPacked = -1;
        int[] packed = {};
        for (double weight : weights) {
            int count = 0;
            for (int j = 0; j < table.jobs; j++) {
                size[j] = slots(j, seconds, weight);
                if (size[j] <= table.slots && prices[j] > 0) {
                    order[count++] = j;
                }
            }
            Arrays.sort(order, 0, count, Comparator.comparingDouble(j -> size[j] / prices[j]));
            double value = whole ? wholeWorth(prices, count) : fractionalWorth(prices, count);
            least = Math.min(least, value);
            int[] greedy = greedy(count);
            double worth = 0;
            for (int j : greedy) {
                worth += prices[j];
            }
            if (worth > bestPacked) {
                bestPacked = worth;
                packed = greedy;
            }
        }
        if (packed.length > 0) {
            found.add(new Candidate(bestPacked / seconds, packed));
        }
        return least;
    }

    private double slots(int j, double seconds, double weight) {
        double least = table.width(j, seconds, 1);
        if (table.mayHost(j)) {
            int host = table.width(j, seconds, table.leastFactor(j, Role.HOST));
            least = host <= table.slots ? Math.min(least, weight * host) : least;
        }
        if (table.mayBeExtra(j)) {
            int extra = table.width(j, seconds, table.leastFactor(j, Role.EXTRA));
            least = extra <= table.mostExtras() ? Math.min(least, (1 - weight) * table.slotsPerExtra * extra) : least;
        }
        return least;
    }

    private double fractionalWorth(double[] prices, int count) {
        double freeSlots = table.slots;
        double worth = 0;
        for (int i = 0; i < count; i++) {
            int j = order[i];
            if (size[j] > freeSlots) {
                return worth + prices[j] * freeSlots / size[j];
            }
            freeSlots -= size[j];
            worth += prices[j];
        }
        return worth;
    }

    private double wholeWorth(double[] prices, int count) {
        int grain = table.slots <= 4_000 ? 4 : 1;
        int capacity = table.slots * grain;
        double[] best = new double[capacity + 1];
        for (int i = 0; i < count; i++) {
            int j = order[i];
            int takes = (int) Math.floor(size[j] * grain + 1e-9);
            for (int c = capacity; c >= takes; c--) {
                best[c] = Math.max(best[c], best[c - takes] + prices[j]);
            }
        }
        return best[capacity];
    }

    private int[] greedy(int count) {
        int[] set = new int[count];
        int taken = 0;
        double freeSlots = table.slots;
        for (int i = 0; i < count; i++) {
            int j = order[i];
            if (size[j] <= freeSlots) {
                freeSlots -= size[j];
                set[taken++] = j;
            }
        }
        int[] jobs = Arrays.copyOf(set, taken);
        Arrays.sort(jobs);
        return jobs;
    }
}
