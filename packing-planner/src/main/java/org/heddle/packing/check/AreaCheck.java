// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.check;

/**
 * The area bound, computed from the formulas without code of the planners: for a grid of weights l, the least T for
 * which sum_j min(A_j, l H_j, (1-l) q E_j) &lt;= N T, and the largest of these, with the best weight between two of the
 * grid. It takes longer to compute than the planners' area bound.
 */
final class AreaCheck {
    private static final int WEIGHTS = 65;
    private final RunTimes times;

    AreaCheck(RunTimes times) {
        this.times = times;
    }

    /** Least VM-seconds of runs of job j that last at most T, times the factor; infinite if there is none. */
    private double area(int j, double limit, double factor) {
        double least = Double.POSITIVE_INFINITY;
        for (int n = times.slots; n >= 1 && factor * times.seconds(j, n) <= limit; n--) {
            least = Math.min(least, n * factor * times.seconds(j, n));
        }
        return least;
    }

    private boolean provenImpossible(double limit) {
        double[][] areas = new double[times.jobs][];
        for (int j = 0; j < times.jobs; j++) {
            areas[j] = new double[] {
                area(j, limit, 1),
                area(j, limit, times.hostFactor(j)),
                times.slotsPerExtra * area(j, limit, times.extraFactor(j))
            };
        }
        double best = 0.5;
        for (int w = 0; w < WEIGHTS; w++) {
            double l = (w + 0.5) / WEIGHTS;
            best = sum(areas, l) > sum(areas, best) ? l : best;
        }
        double left = Math.max(0, best - 1.0 / WEIGHTS);
        double right = Math.min(1, best + 1.0 / WEIGHTS);
        while (right - left > 1e-9 && sum(areas, best) <= times.slots * limit) { // the sum is concave in the weight
            double third = (right - left) / 3;
            boolean up = sum(areas, left + third) < sum(areas, right - third);
            left = up ? left + third : left;
            right = up ? right : right - third;
            best = (left + right) / 2;
        }
        return sum(areas, best) > times.slots * limit;
    }

    private static double sum(double[][] areas, double l) {
        double sum = 0;
        for (double[] area : areas) {
            double shared = Math.min(part(l, area[1]), part(1 - l, area[2]));
            sum += Math.min(area[0], shared);
        }
        return sum;
    }

    /** An impossible role stays impossible, whatever its weight. */
    private static double part(double weight, double area) {
        return area == Double.POSITIVE_INFINITY ? area : weight * area;
    }

    /** Seconds no plan with fixed VM counts can beat. */
    double bound() {
        double low = 0;
        double high = 0;
        for (int j = 0; j < times.jobs; j++) {
            high += times.seconds(j, times.slots);
        }
        while (high - low > 1e-9 * high) {
            double middle = (low + high) / 2;
            if (provenImpossible(middle)) {
                low = middle;
            } else {
                high = middle;
            }
        }
        return low;
    }
}
