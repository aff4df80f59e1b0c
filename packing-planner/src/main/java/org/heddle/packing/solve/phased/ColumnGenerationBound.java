// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.solve.phased;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.heddle.packing.solve.JobTable;
import org.heddle.packing.solve.SolveContext;
import org.heddle.packing.solve.bound.CoveringLp;
import org.jspecify.annotations.Nullable;

/**
 * A lower bound on phased plans by column generation: the covering problem "phases, each job in at least
 * one, least total length" without integrality. Each round prices the jobs, asks {@link PhasePricing} for
 * phases that earn more than they last, and gets a valid bound whether or not it has converged. Its
 * fractional solutions also seed the search for plans.
 */
public final class ColumnGenerationBound {
    private final JobTable table;
    private final PhaseSearch search;
    private final SolveContext context;
    private final PhasePricing pricing;
    private double @Nullable [] proof;

    public ColumnGenerationBound(JobTable table, PhaseSearch search, SolveContext context) {
        this.table = table;
        this.search = search;
        this.context = context;
        pricing = new PhasePricing(table);
    }

    /** The best bound found from {@code known} up, in seconds. */
    public double raise(double known) {
        int m = table.jobs;
        double scale = known;
        double[] ones = new double[m];
        double[] costs = new double[m];
        int[][] singles = new int[m][];
        for (int j = 0; j < m; j++) {
            ones[j] = 1;
            costs[j] = table.fastest(j) / scale;
            singles[j] = new int[] {j};
        }
        double until = 0.7 * context.limitSeconds();
        CoveringLp<int[]> lp = new CoveringLp<>(
                ones,
                costs,
                singles,
                new Random(context.seed()),
                () -> context.mustStop() || context.elapsed() >= until);
        search.best().forEach(phase -> enter(lp, phase.jobs(), scale));
        double bound = known;
        double[] center = lp.duals().clone();
        for (int round = 0; !context.mustStop() && context.elapsed() < until; round++) {
            boolean smooth = round % 4 != 3;
            double[] prices = new double[m];
            double sum = 0;
            for (int j = 0; j < m; j++) {
                double dual = Math.max(0, lp.duals()[j]);
                prices[j] = scale * (smooth ? 0.7 * center[j] + 0.3 * dual : dual);
                sum += prices[j];
            }
            PhasePricing.Answer answer = pricing.best(prices, search.makespan(), false, context);
            if (sum / answer.most() > bound) {
                bound = sum / answer.most();
                proof = legal(prices, answer.most());
                center = prices.clone();
                for (int j = 0; j < m; j++) {
                    center[j] /= scale * answer.most();
                }
                context.report(search.makespan(), bound);
            }
            int entered = 0;
            for (int[] set : answer.sets()) {
                entered += enter(lp, set, scale) ? 1 : 0;
            }
            if (round % 5 == 4) {
                roundOff(lp);
            }
            if (context.goodEnough() || (entered == 0 && !smooth)) {
                break;
            }
        }
        roundOff(lp);
        return sharpen(center, scale, bound);
    }

    /** The prices that prove the bound, by job; null if it is the known one. After {@link #raise}. */
    double @Nullable [] prices() {
        return proof;
    }

    /** Prices under which no phase earns more than it lasts. */
    private static double[] legal(double[] prices, double most) {
        return Arrays.stream(prices).map(p -> p / most).toArray();
    }

    /**
     * The bound of the best prices with whole jobs instead of fractions in the knapsack, if it is above the known one.
     */
    private double sharpen(double[] center, double scale, double known) {
        if (context.goodEnough() || context.mustStop() || (long) table.jobs * table.slots > 500_000) {
            return known;
        }
        double sum = 0;
        double[] prices = new double[table.jobs];
        for (int j = 0; j < table.jobs; j++) {
            prices[j] = scale * center[j];
            sum += prices[j];
        }
        double most = pricing.best(prices, search.makespan(), true, context).most();
        if (sum / most > known) {
            proof = legal(prices, most);
        }
        return Math.max(known, sum / most);
    }

    private boolean enter(CoveringLp<int[]> lp, int[] set, double scale) {
        double seconds = search.phase(set).seconds();
        if (seconds == Double.POSITIVE_INFINITY) {
            return false;
        }
        double[] column = new double[table.jobs];
        for (int j : set) {
            column[j] = 1;
        }
        return lp.enter(column, seconds / scale, set);
    }

    @SuppressWarnings("ArrayRecordComponent") // a pair to sort by, never compared
    private record Part(double value, int[] jobs) {}

    private void roundOff(CoveringLp<int[]> lp) {
        List<Part> parts = new ArrayList<>();
        lp.forEach((jobs, value) -> parts.add(new Part(value, jobs)));
        parts.sort(Comparator.comparingDouble(p -> -p.value()));
        if (search.offerCover(parts.stream().map(Part::jobs).toList())) {
            context.report(search.makespan(), 0);
        }
    }
}
