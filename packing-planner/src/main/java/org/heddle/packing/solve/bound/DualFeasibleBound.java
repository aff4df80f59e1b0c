// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.solve.bound;

import java.util.Arrays;
import org.heddle.packing.model.Role;
import org.heddle.packing.solve.JobTable;
import org.heddle.packing.solve.SolveContext;
import org.jspecify.annotations.Nullable;

/**
 * A lower bound on plans with fixed VM counts and free starts that is never below {@link AreaBound}: dual
 * feasible functions (Fekete and Schepers, "A general framework for bounds for higher-dimensional
 * orthogonal packing problems") over VM counts and times.
 *
 * <p>With f = u_k, u_k(x) = x if (k+1) x is whole and floor((k+1) x) / k otherwise, numbers that sum up to
 * at most 1 still do so after f. A plan cuts into N lines in time, each serving one job after the other, so
 * times may be replaced by T u_i(time / T); at each instant VM counts may be replaced by N u_k(count / N).
 * Hence for each of the two capacity rules, and all weights w that sum up to 1,
 *
 * <pre>sum_j min over roles and counts of  sum_ik w_ik  N u_k(count / N)  T u_i(time / T)  &lt;=  N T</pre>
 *
 * where u_0(x) = x. The weights, and the weight between the rules, are searched; any give a valid bound.
 * If the left side is larger for some T, then no plan ends within T or less.
 */
public final class DualFeasibleBound {
    /** u_0 .. u_3 for times and for VM counts. */
    private static final int FUNCTIONS = 4;

    private static final int CELLS = FUNCTIONS * FUNCTIONS;
    /** One more dimension than cells: the last is the weight of the first capacity rule. */
    private static final int RULE = CELLS;

    private static final int LARGEST = 20_000;
    private static final double ROUNDING = 1e-9;
    private static final int STEPS = 12;
    private static final int SWEEPS = 3;

    private final JobTable table;
    /** u_k(count / N) by k and count, for counts as they are and as extras. */
    private final double[][] plain;

    private final double[][] asExtra;
    private final double[] weights = new double[CELLS + 1];
    /** Per job, the useful (role, count) pairs under the T in question. */
    private final double[][][] modes;

    private double @Nullable [] proof;

    public DualFeasibleBound(JobTable table) {
        this.table = table;
        plain = new double[FUNCTIONS][table.slots + 1];
        asExtra = new double[FUNCTIONS][table.mostExtras() + 1];
        for (int k = 0; k < FUNCTIONS; k++) {
            for (int n = 0; n <= table.slots; n++) {
                plain[k][n] = shrunk(k, (double) n / table.slots);
            }
            for (int n = 0; n <= table.mostExtras(); n++) {
                asExtra[k][n] = shrunk(k, n * table.slotsPerExtra / table.slots);
            }
        }
        modes = new double[table.jobs][][];
    }

    /** u_k, rounded down where rounding matters. */
    static double shrunk(int k, double x) {
        if (k == 0) {
            return x;
        }
        double steps = (k + 1) * x;
        double whole = Math.rint(steps);
        return Math.abs(steps - whole) < ROUNDING ? Math.min(x, whole / (k + 1)) : Math.floor(steps) / k;
    }

    /**
     * The bound, between a known one and the makespan of a known plan.
     *
     * @param known a valid bound, returned if nothing better is found
     */
    public double raise(double known, double makespan, SolveContext context) {
        if ((long) table.jobs * table.slots > LARGEST) {
            return known;
        }
        double low = known;
        double high = makespan;
        for (int i = 0; i < STEPS && high - low > 1e-6 * high && !context.mustStop(); i++) {
            double middle = (low + high) / 2;
            if (isImpossible(middle)) {
                low = middle;
                proof = weights.clone();
            } else {
                high = middle;
            }
        }
        return low;
    }

    /** The weights of the functions, and of the first rule, that prove the bound; null if it is the known one. */
    public double @Nullable [] weights() {
        return proof;
    }

    private boolean isImpossible(double seconds) {
        for (int j = 0; j < table.jobs; j++) {
            if (table.fastest(j) > seconds) {
                return true;
            }
            modes[j] = modes(j, seconds);
        }
        Arrays.fill(weights, 0);
        weights[0] = 1;
        weights[RULE] = 0.5;
        double best = total();
        for (int sweep = 0; sweep < SWEEPS && best <= 1 + ROUNDING; sweep++) {
            for (int c = CELLS; c >= 0 && best <= 1 + ROUNDING; c--) {
                best = c == RULE ? tuneRule(best) : shiftTowards(c, best);
            }
        }
        return best > 1 + ROUNDING;
    }

    /** Terms of every role and count under T: CELLS for the first rule, then CELLS for the second. */
    private double[][] modes(int j, double seconds) {
        int count = 0;
        double[][] all = new double[3 * table.slots][];
        for (Role role : Role.values()) {
            if (!table.mayBe(j, role)) {
                continue;
            }
            double factor = table.leastFactor(j, role);
            int most = role == Role.EXTRA ? table.mostExtras() : table.slots;
            for (int n = table.width(j, seconds, factor); n <= most; n++) {
                all[count++] = terms(role, n, factor * table.seconds(j, n) / seconds);
            }
        }
        return Arrays.copyOf(all, count);
    }

    private double[] terms(Role role, int n, double time) {
        double[] terms = new double[2 * CELLS];
        for (int i = 0; i < FUNCTIONS; i++) {
            double t = shrunk(i, time);
            for (int k = 0; k < FUNCTIONS; k++) {
                int cell = i * FUNCTIONS + k;
                if (role != Role.EXTRA) {
                    terms[cell] = t * plain[k][n];
                }
                if (role != Role.HOST) {
                    double[][] shrunk = role == Role.EXTRA ? asExtra : plain;
                    terms[CELLS + cell] = t * shrunk[k][n];
                }
            }
        }
        return terms;
    }

    private double total() {
        double sum = 0;
        for (double[][] ofJob : modes) {
            double least = Double.POSITIVE_INFINITY;
            for (double[] terms : ofJob) {
                double first = 0;
                double second = 0;
                for (int c = 0; c < CELLS; c++) {
                    if (weights[c] > 0) {
                        first += weights[c] * terms[c];
                        second += weights[c] * terms[CELLS + c];
                    }
                }
                least = Math.min(least, weights[RULE] * first + (1 - weights[RULE]) * second);
            }
            sum += least;
        }
        return sum;
    }

    private double tuneRule(double best) {
        double kept = weights[RULE];
        double now = best;
        for (double step = 0.25; step > 0.01; step /= 2) {
            for (double sign : new double[] {-1, 1}) {
                weights[RULE] = Math.max(0, Math.min(1, kept + sign * step));
                double value = total();
                if (value > now) {
                    now = value;
                    kept = weights[RULE];
                }
            }
        }
        weights[RULE] = kept;
        return now;
    }

    /** Moves weight to one cell, as far as it helps; the total is concave in the part moved. */
    private double shiftTowards(int cell, double best) {
        double[] kept = weights.clone();
        double now = best;
        double[] chosen = kept;
        for (double part : new double[] {0.05, 0.1, 0.2, 0.35, 0.6, 1}) {
            for (int c = 0; c < CELLS; c++) {
                weights[c] = (1 - part) * kept[c] + (c == cell ? part : 0);
            }
            double value = total();
            if (value <= now) {
                break;
            }
            now = value;
            chosen = weights.clone();
        }
        System.arraycopy(chosen, 0, weights, 0, CELLS);
        return now;
    }
}
