// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.check;

import org.heddle.packing.model.Alpha;
import org.heddle.packing.model.Job;
import org.heddle.packing.model.Problem;

/**
 * Run times of the jobs of a problem, computed from the models without code of the planners. A job with n VMs may leave
 * some idle, so its time never increases with n. Jobs are indices in the order of the problem.
 */
class RunTimes {
    final Problem problem;
    final int jobs;
    final int slots;
    /** floor(k / r): most extra VMs on a machine. */
    final int extrasPerMachine;
    /** k / floor(k / r): slots that one extra VM takes at least. */
    final double slotsPerExtra;

    private final double[][] seconds;
    private final double[] hostFactor;
    private final double[] extraFactor;

    RunTimes(Problem problem) {
        this.problem = problem;
        jobs = problem.jobs().size();
        slots = problem.slots();
        extrasPerMachine = problem.disks() / problem.ratio();
        slotsPerExtra = (double) problem.disks() / extrasPerMachine;
        seconds = new double[jobs][];
        hostFactor = new double[jobs];
        extraFactor = new double[jobs];
        for (int j = 0; j < jobs; j++) {
            double[] row = new double[slots + 1];
            row[0] = Double.POSITIVE_INFINITY;
            for (int n = 1; n <= slots; n++) {
                row[n] = Math.min(row[n - 1], job(j).model().seconds(n));
            }
            seconds[j] = row;
            hostFactor[j] = leastFactor(j, true);
            extraFactor[j] = leastFactor(j, false);
        }
    }

    private double leastFactor(int j, boolean host) {
        double least = Double.POSITIVE_INFINITY;
        boolean measured = !problem.alpha().measured().isEmpty();
        for (int other = 0; other < jobs && (measured || least == Double.POSITIVE_INFINITY); other++) {
            if (other != j) {
                least = Math.min(least, host ? factor(j, other) : factor(other, j));
            }
        }
        return least;
    }

    Job job(int j) {
        return problem.jobs().get(j);
    }

    /** The factor of a host and an extra that share machines; infinite if their classes forbid it. */
    double factor(int host, int extra) {
        if (!job(host).io() || !job(extra).cpu()) {
            return Double.POSITIVE_INFINITY;
        }
        Alpha alpha = problem.alpha();
        if (alpha.measured().isEmpty()) {
            return alpha.constant(); // without a look at names, of which there may be many
        }
        return alpha.of(job(host).name(), job(extra).name());
    }

    /** The smallest factor of a job as host; infinite if it cannot be one. */
    double hostFactor(int j) {
        return hostFactor[j];
    }

    /** The smallest factor of a job as extra; infinite if it cannot be one. */
    double extraFactor(int j) {
        return extraFactor[j];
    }

    /** Seconds of job {@code j} on at most {@code n} VMs, without a factor. */
    double seconds(int j, int n) {
        return seconds[j][n];
    }
}
