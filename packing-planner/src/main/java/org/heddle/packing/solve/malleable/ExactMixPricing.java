// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.solve.malleable;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.heddle.packing.model.Role;
import org.heddle.packing.solve.JobTable;
import org.jspecify.annotations.Nullable;

/**
 * The pricing problem of malleable plans without relaxation: which mix of VM counts and roles earns most per second?
 * Dynamic programming over jobs, once for those that may be hosts (hosts x normal VMs used) and once for those that may
 * be extras (extras x normal VMs used); then over how many slots the machines with extras take. Jobs that may be either
 * are tried on both sides. What it takes grows with N^3, so it is for small clusters, where what {@link MixPricing}
 * relaxes matters most.
 *
 * <p>With factors that differ from pair to pair each job counts with its smallest one, so the earnings are a bound.
 */
final class ExactMixPricing {
    private static final double MOST_STEPS = 3e7;
    private static final int MOST_BOTH = 4;

    private final JobTable table;
    private final List<Integer> onlyHosts = new ArrayList<>();
    private final List<Integer> onlyExtras = new ArrayList<>();
    private final List<Integer> both = new ArrayList<>();

    private ExactMixPricing(JobTable table) {
        this.table = table;
        for (int j = 0; j < table.jobs; j++) {
            if (!table.mayBeExtra(j)) {
                onlyHosts.add(j);
            } else if (table.mayHost(j)) {
                both.add(j);
            } else {
                onlyExtras.add(j);
            }
        }
    }

    /** The pricing of a problem, or null where it would take too long or the relaxation is exact already. */
    static @Nullable ExactMixPricing of(JobTable table) {
        ExactMixPricing pricing = new ExactMixPricing(table);
        boolean overcommit = !pricing.onlyExtras.isEmpty() || !pricing.both.isEmpty();
        double steps = Math.pow(table.slots, 3) * table.jobs * (1 << Math.min(20, pricing.both.size()));
        return overcommit && pricing.both.size() <= MOST_BOTH && steps <= MOST_STEPS ? pricing : null;
    }

    /** What some jobs earn at most: by VMs with a role and normal VMs that they may use. */
    private final class Side {
        final List<Integer> jobs;
        final Role role;
        final int mostRole;
        /** [0] whatever the roles, [1] with one VM in the role at least. */
        final double[][][] worth;

        /** For each job and state the width; negative for the role, 0 for none. */
        private final List<int[][][]> chosen = new ArrayList<>();

        Side(List<Integer> jobs, Role role, int mostRole, double[] prices) {
            this.jobs = jobs;
            this.role = role;
            this.mostRole = mostRole;
            double[][] any = new double[mostRole + 1][table.slots + 1];
            double[][] some = new double[mostRole + 1][table.slots + 1];
            for (double[] row : some) {
                Arrays.fill(row, Double.NEGATIVE_INFINITY);
            }
            double[][][] now = {any, some};
            for (int j : jobs) {
                now = add(j, prices[j], now);
            }
            worth = now;
        }

        private double[][][] add(int j, double price, double[][][] before) {
            int slots = table.slots;
            double[][][] after = new double[2][mostRole + 1][slots + 1];
            int[][][] choice = new int[2][mostRole + 1][slots + 1];
            double factor = table.mayBe(j, role) ? table.leastFactor(j, role) : Double.POSITIVE_INFINITY;
            for (int with = 0; with < 2; with++) {
                for (int r = 0; r <= mostRole; r++) {
                    for (int n = 0; n <= slots; n++) {
                        double best = before[with][r][n];
                        int width = 0;
                        for (int w = 1; w <= n; w++) {
                            double earned = before[with][r][n - w] + price / table.seconds(j, w);
                            if (earned > best) {
                                best = earned;
                                width = w;
                            }
                        }
                        for (int w = 1; w <= r && factor < Double.POSITIVE_INFINITY; w++) {
                            double earned = before[0][r - w][n] + price / (factor * table.seconds(j, w));
                            if (earned > best) {
                                best = earned;
                                width = -w;
                            }
                        }
                        after[with][r][n] = best;
                        choice[with][r][n] = width;
                    }
                }
            }
            chosen.add(choice);
            return after;
        }

        /** Writes the widths and roles behind a state into a mix. */
        void trace(int with, int r, int n, Mix mix) {
            int needs = with;
            int inRole = r;
            int normal = n;
            for (int i = jobs.size() - 1; i >= 0; i--) {
                int width = chosen.get(i)[needs][inRole][normal];
                mix.widths[jobs.get(i)] = Math.abs(width);
                mix.roles[jobs.get(i)] = width < 0 ? role : Role.NORMAL;
                if (width < 0) {
                    inRole += width;
                    needs = 0;
                } else {
                    normal -= width;
                }
            }
        }
    }

    MixPricing.Answer best(double[] prices) {
        double most = 0;
        List<Mix> mixes = new ArrayList<>();
        for (int asHosts = 0; asHosts < 1 << both.size(); asHosts++) {
            List<Integer> left = new ArrayList<>(onlyHosts);
            List<Integer> right = new ArrayList<>(onlyExtras);
            for (int i = 0; i < both.size(); i++) {
                ((asHosts >> i & 1) == 1 ? left : right).add(both.get(i));
            }
            Mix mix = new Mix(table.jobs);
            double earns = best(
                    new Side(left, Role.HOST, table.slots, prices),
                    new Side(right, Role.EXTRA, table.mostExtras(), prices),
                    mix);
            most = Math.max(most, earns);
            mixes.add(mix);
        }
        return new MixPricing.Answer(most, mixes, Double.NaN, Double.NaN);
    }

    private double best(Side left, Side right, Mix mix) {
        double most = -1;
        int[] at = {0, 0, 0, 0, 0};
        for (int n = 0; n <= table.slots; n++) {
            double earns = left.worth[0][0][n] + right.worth[0][0][table.slots - n];
            if (earns > most) {
                most = earns;
                at = new int[] {0, 0, n, 0, table.slots - n};
            }
        }
        // Machines are filled with extras one after the other, so only full machines are of interest.
        for (int e = table.extrasPerMachine; e <= table.mostExtras(); e += table.extrasPerMachine) {
            for (int h = table.slotsFor(e); h <= table.slots; h++) {
                int normal = table.slots - h;
                for (int n = 0; n <= normal; n++) {
                    double earns = left.worth[1][h][n] + right.worth[1][e][normal - n];
                    if (earns > most) {
                        most = earns;
                        at = new int[] {1, h, n, e, normal - n};
                    }
                }
            }
        }
        left.trace(at[0], at[1], at[2], mix);
        right.trace(at[0], at[3], at[4], mix);
        return most;
    }
}
