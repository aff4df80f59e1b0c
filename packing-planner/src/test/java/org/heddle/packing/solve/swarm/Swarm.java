// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.solve.swarm;

import java.util.Arrays;
import java.util.random.RandomGenerator;
import org.heddle.packing.model.Role;
import org.heddle.packing.solve.JobTable;

/**
 * The particles. A position is A (M x M VM counts, phase by phase), then B, then B', all as reals that
 * are rounded when judged. Feasible means: the two capacity rules in each phase, roles only for jobs that
 * may have them, every job somewhere.
 */
final class Swarm {
    private static final double PULL = 1.49445;
    private final JobTable table;
    private final RandomGenerator random;
    private final int jobs;
    private final double[][] position;
    private final double[][] velocity;
    private final double[][] own;
    private final double[] ownCost;
    private double[] best = {};
    private double bestCost = Double.POSITIVE_INFINITY;

    Swarm(JobTable table, int particles, RandomGenerator random) {
        this.table = table;
        this.random = random;
        jobs = table.jobs;
        int size = jobs * jobs + 2 * jobs;
        position = new double[particles][size];
        velocity = new double[particles][size];
        own = new double[particles][];
        ownCost = new double[particles];
        for (int p = 0; p < particles; p++) {
            start(position[p]);
            own[p] = position[p].clone();
            ownCost[p] = cost(position[p]);
            remember(p);
        }
    }

    double best() {
        return bestCost;
    }

    int bestVms(int phase, int job) {
        return vms(best, phase, job);
    }

    Role bestRole(int job) {
        return role(best, job);
    }

    /** A random feasible position: jobs in random phases, the slots of a phase split at random. */
    private void start(double[] x) {
        int[] phase = new int[jobs];
        int[] crowd = new int[jobs];
        for (int j = 0; j < jobs; j++) {
            do {
                phase[j] = random.nextInt(jobs);
            } while (crowd[phase[j]] >= table.slots);
            crowd[phase[j]]++;
        }
        int[] left = new int[jobs];
        Arrays.fill(left, table.slots);
        for (int j = 0; j < jobs; j++) {
            int i = phase[j];
            crowd[i]--;
            int vms = crowd[i] == 0 ? left[i] : 1 + random.nextInt(left[i] - crowd[i]);
            left[i] -= vms;
            x[i * jobs + j] = vms;
            x[jobs * jobs + j] = 0.49 * random.nextDouble();
            x[jobs * jobs + jobs + j] = 0.49 * random.nextDouble();
        }
    }

    /** One iteration of all particles. */
    void move() {
        int cells = jobs * jobs;
        for (int p = 0; p < position.length; p++) {
            double[] x = position[p];
            double[] v = velocity[p];
            double inertia = 0.5 + random.nextDouble() / 2;
            for (int d = 0; d < x.length; d++) {
                double most = d < cells ? table.slots : 1;
                v[d] = inertia * v[d]
                        + PULL * random.nextDouble() * (own[p][d] - x[d])
                        + PULL * random.nextDouble() * (best[d] - x[d]);
                v[d] = Math.max(-most / 2, Math.min(most / 2, v[d]));
                x[d] = Math.max(0, Math.min(most, x[d] + v[d]));
            }
            double cost = cost(x);
            if (cost < ownCost[p]) {
                ownCost[p] = cost;
                own[p] = x.clone();
                remember(p);
            }
        }
    }

    private void remember(int p) {
        if (ownCost[p] < bestCost) {
            bestCost = ownCost[p];
            best = own[p].clone();
        }
    }

    private int vms(double[] x, int phase, int job) {
        return (int) Math.round(x[phase * jobs + job]);
    }

    private Role role(double[] x, int job) {
        if (x[jobs * jobs + job] >= 0.5 && table.mayHost(job)) {
            return Role.HOST;
        }
        return x[jobs * jobs + jobs + job] >= 0.5 && table.mayBeExtra(job) ? Role.EXTRA : Role.NORMAL;
    }

    /** The corrected objective; infinite for positions that are not feasible. */
    private double cost(double[] x) {
        double sum = 0;
        for (int i = 0; i < jobs; i++) {
            int n = 0;
            int h = 0;
            int e = 0;
            double longest = 0;
            for (int j = 0; j < jobs; j++) {
                int vms = vms(x, i, j);
                if (vms == 0) {
                    continue;
                }
                Role role = role(x, j);
                switch (role) {
                    case NORMAL -> n += vms;
                    case HOST -> h += vms;
                    case EXTRA -> e += vms;
                }
                longest = Math.max(longest, table.mostFactor(j, role) * table.seconds(j, Math.min(vms, table.slots)));
            }
            if (n + Math.max(h, table.slotsFor(e)) > table.slots || table.problem.ratio() * e > h) {
                return Double.POSITIVE_INFINITY;
            }
            sum += longest;
        }
        for (int j = 0; j < jobs; j++) {
            int total = 0;
            for (int i = 0; i < jobs; i++) {
                total += vms(x, i, j);
            }
            if (total == 0) {
                return Double.POSITIVE_INFINITY;
            }
        }
        return sum;
    }
}
