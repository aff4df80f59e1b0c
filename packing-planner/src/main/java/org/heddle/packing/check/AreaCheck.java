// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.check;

/**
 * The area bound, computed from the formulas without code of the planners: for a grid of weights l, the least T for which
 * sum_j min(A_j, l H_j, (1-l) q E_j) &lt;= N T, and the largest of these. It is slightly lower than the planners' area
 * bound and takes longer to compute.
 */
final class AreaCheck {
    private static final int WEIGHTS = 65;
    private final RunTimes times;

    AreaCheck(RunTimes times) {
        this.times = times;
    }

    /** Least VM-seconds of runs of job j that last at most T, times the factor. */
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
            double host = times.hostFactor(j);
            double extra = times.extraFactor(j);
            areas[j] = new double[] {
                area(j, limit, 1),
                host < Double.POSITIVE_INFINITY ? area(j, limit, host) : Double.POSITIVE_INFINITY,
                extra < Double.POSITIVE_INFINITY
                        ? times.slotsPerExtra * area(j, limit, extra)
                        : Double.POSITIVE_INFINITY
            };
        }
        for (int w = 0; w < WEIGHTS; w++) {
            double l = (w + 0.5) / WEIGHTS;
            double sum = 0;
            for (double[] area : areas) {
                sum += Math.min(area[0], Math.min(l * area[1], (1 - l) * area[2]));
            }
            if (sum > times.slots * limit) {
                return true;
            }
        }
        return false;
    }

    /** Seconds no plan with fixed VM counts can beat. */
    double bound() {
        double low = 0;
        double high = 0;
        for (int j = 0; j < times.jobs; j++) {
            high += times.seconds(j, times.slots);
        }
        while (high - low > 1e-7 * high) {
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
