// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.check;

import org.heddle.packing.model.Role;

/**
 * Shows that no plan with fixed VM counts ends within T. Each of the functions u_0(x) = x and u_k(x) = x if (k+1) x is
 * whole, else floor((k+1) x) / k, keeps sums that are at most 1 at most 1. So under u_i of times and u_k of VM counts,
 * with weights of all pairs (i, k) and of the two capacity rules, the jobs of a plan need at most 1. If the cheapest
 * ways to run all jobs need more, there is no plan.
 */
final class DualFeasibleCheck {
    private static final int FUNCTIONS = 4;
    private static final int PAIRS = FUNCTIONS * FUNCTIONS;
    /** Weights of the pairs, and that of the first capacity rule. */
    static final int VALUES = PAIRS + 1;

    private static final double ROUNDING = 1e-9;

    private final BoundTimes times;
    private final double[] weights;
    private final double firstRule;

    DualFeasibleCheck(BoundTimes times, double[] values) {
        this.times = times;
        double sum = 0;
        for (int pair = 0; pair < PAIRS; pair++) {
            sum += values[pair];
        }
        weights = new double[PAIRS];
        for (int pair = 0; pair < PAIRS && sum > 0; pair++) {
            weights[pair] = values[pair] / sum;
        }
        firstRule = Math.min(1, values[PAIRS]);
    }

    /** Whether no plan is shorter than {@code claim}, as far as the tolerance of the checker allows to say. */
    boolean proves(double claim) {
        double limit = claim * (1 - PlanChecker.TOLERANCE);
        double needed = 0;
        for (int j = 0; j < times.jobs; j++) {
            double least = Double.POSITIVE_INFINITY;
            for (Role role : Role.values()) {
                least = Math.min(least, least(j, role, limit));
            }
            needed += least;
        }
        return needed > 1 + ROUNDING;
    }

    private double least(int j, Role role, double limit) {
        double factor = times.factor(j, role);
        double slotsPerVm = role == Role.EXTRA ? times.slotsPerExtra : 1;
        int most = role == Role.EXTRA ? times.mostExtras() : times.slots;
        double share = switch (role) {
            case NORMAL -> 1;
            case HOST -> firstRule;
            case EXTRA -> 1 - firstRule;
        };
        double least = Double.POSITIVE_INFINITY;
        for (int n = times.width(j, limit, factor); n <= most; n++) {
            double time = factor * times.seconds(j, n) / limit;
            double part = n * slotsPerVm / times.slots;
            double value = 0;
            for (int pair = 0; pair < PAIRS; pair++) {
                if (weights[pair] > 0) {
                    value += weights[pair] * reduced(pair / FUNCTIONS, time) * reduced(pair % FUNCTIONS, part);
                }
            }
            least = Math.min(least, share * value);
        }
        return least;
    }

    private static double reduced(int k, double x) {
        if (k == 0) {
            return x;
        }
        double whole = Math.rint((k + 1) * x);
        boolean isWhole = Math.abs((k + 1) * x - whole) < ROUNDING;
        return isWhole ? Math.min(x, whole / (k + 1)) : Math.floor((k + 1) * x) / k;
    }
}
