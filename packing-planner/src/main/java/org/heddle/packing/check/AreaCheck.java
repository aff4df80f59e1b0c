// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.check;

import java.util.ArrayList;
import java.util.List;
import org.heddle.packing.model.Alpha;
import org.heddle.packing.model.Job;
import org.heddle.packing.model.Problem;

/**
 * The area bound, computed from the formulas without code of the planners: for a grid of weights l, the
 * least T for which sum_j min(A_j, l H_j, (1-l) q E_j) &lt;= N T, and the largest of these. Slower and
 * slightly lower than the bound of the planners.
 */
final class AreaCheck {
    private static final int WEIGHTS = 65;
    private final Problem problem;
    private final List<double[]> seconds = new ArrayList<>();
    private final double[] hostFactor;
    private final double[] extraFactor;

    AreaCheck(Problem problem) {
        this.problem = problem;
        List<Job> jobs = problem.jobs();
        hostFactor = new double[jobs.size()];
        extraFactor = new double[jobs.size()];
        for (int j = 0; j < jobs.size(); j++) {
            double[] row = new double[problem.slots()];
            double least = Double.POSITIVE_INFINITY;
            for (int n = 1; n <= row.length; n++) {
                least = Math.min(least, jobs.get(j).model().seconds(n));
                row[n - 1] = least;
            }
            seconds.add(row);
            hostFactor[j] = leastFactor(j, true);
            extraFactor[j] = leastFactor(j, false);
        }
    }

    private double leastFactor(int j, boolean host) {
        Alpha alpha = problem.alpha();
        Job one = problem.jobs().get(j);
        double least = Double.POSITIVE_INFINITY;
        for (int o = 0; o < problem.jobs().size(); o++) {
            Job other = problem.jobs().get(o);
            if (o != j && host && one.io() && other.cpu()) {
                least = Math.min(least, alpha.of(one.name(), other.name()));
            } else if (o != j && !host && one.cpu() && other.io()) {
                least = Math.min(least, alpha.of(other.name(), one.name()));
            }
        }
        return least;
    }

    /** Least VM-seconds of runs of job j that last at most T, times the factor. */
    private double area(int j, double limit, double factor) {
        double[] row = seconds.get(j);
        double least = Double.POSITIVE_INFINITY;
        for (int n = row.length; n >= 1 && factor * row[n - 1] <= limit; n--) {
            least = Math.min(least, n * factor * row[n - 1]);
        }
        return least;
    }

    private boolean provenImpossible(double limit) {
        int m = problem.jobs().size();
        int extrasPerMachine = problem.disks() / problem.ratio();
        double q = (double) problem.disks() / extrasPerMachine;
        double[][] areas = new double[m][];
        for (int j = 0; j < m; j++) {
            areas[j] = new double[] {
                area(j, limit, 1),
                hostFactor[j] < Double.POSITIVE_INFINITY ? area(j, limit, hostFactor[j]) : Double.POSITIVE_INFINITY,
                extraFactor[j] < Double.POSITIVE_INFINITY
                        ? q * area(j, limit, extraFactor[j])
                        : Double.POSITIVE_INFINITY
            };
        }
        for (int w = 0; w < WEIGHTS; w++) {
            double l = (w + 0.5) / WEIGHTS;
            double sum = 0;
            for (double[] area : areas) {
                sum += Math.min(area[0], Math.min(l * area[1], (1 - l) * area[2]));
            }
            if (sum > problem.slots() * limit) {
                return true;
            }
        }
        return false;
    }

    /** Seconds no plan with fixed VM counts can beat. */
    double bound() {
        double low = 0;
        double high = 0;
        for (double[] row : seconds) {
            high += row[row.length - 1];
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
