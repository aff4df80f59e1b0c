// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.solve.phased;

import java.util.Arrays;
import org.heddle.packing.model.Role;
import org.heddle.packing.solve.JobTable;
import org.heddle.packing.solve.bound.AreaBound;
import org.jspecify.annotations.Nullable;

/**
 * The exact phase oracle: the shortest phase in which a given set of jobs fits side by side.
 *
 * <p>A phase of length T fits if roles can be chosen so that {@code n + max(h, g(e)) <= N}, with n, h, e
 * the VMs of normal, host and extra jobs, each job at its least VM count that meets T, and g(e) the
 * slots of the machines that e extras occupy. T is one of finitely many run times, found by binary
 * search; roles are found by depth-first search cut off by the two capacity rules added up with several
 * weights (see {@link AreaBound}), and, where that search runs long, by a knapsack table.
 */
final class PhaseOracle {
    private static final double[] WEIGHTS = {0, 0.2, 0.35, 0.5, 0.6, 0.7, 0.85, 1};
    private static final int NODES_BEFORE_TABLE = 4_000;

    private final JobTable table;
    private final double[] candidates;
    private final int[] normal;
    private final int[] host;
    private final int[] extra;
    private final double[][] rest;
    private final Role[] roles;
    private final int[] jobs;
    private int count;
    private double target;
    private int nodes;

    PhaseOracle(JobTable table) {
        this.table = table;
        int m = table.jobs;
        candidates = lengths(table);
        normal = new int[m];
        host = new int[m];
        extra = new int[m];
        rest = new double[WEIGHTS.length][m + 1];
        roles = new Role[m];
        jobs = new int[m];
    }

    /** All run times that a phase can have, ascending. */
    private static double[] lengths(JobTable table) {
        double[] all = new double[1024];
        int size = 0;
        for (int j = 0; j < table.jobs; j++) {
            double[] factors = factors(table, j);
            for (int n = 1; n <= table.slots; n++) {
                if (n > 1 && table.seconds(j, n) == table.seconds(j, n - 1)) {
                    continue;
                }
                for (double factor : factors) {
                    if (size == all.length) {
                        all = Arrays.copyOf(all, 2 * size);
                    }
                    all[size++] = factor * table.seconds(j, n);
                }
            }
        }
        return Arrays.stream(all, 0, size).sorted().distinct().toArray();
    }

    private static double[] factors(JobTable table, int j) {
        double[] factors = new double[2 * table.jobs + 1];
        int size = 0;
        factors[size++] = 1;
        for (int o = 0; o < table.jobs; o++) {
            if (table.mayHost(j) && table.mayBeExtra(o)) {
                factors[size++] = table.alpha(j, o);
            }
            if (table.mayBeExtra(j) && table.mayHost(o)) {
                factors[size++] = table.alpha(o, j);
            }
        }
        return Arrays.stream(factors, 0, size).distinct().toArray();
    }

    /**
     * Length of the shortest phase with the jobs in {@code mask} if it is below {@code high}, else
     * infinite.
     *
     * @param low a length; the caller knows that no phase is shorter
     */
    double leastSeconds(int mask, double low, double high) {
        int from = position(low);
        int to = position(high) - 1;
        if (to < from || !fits(mask, candidates[to])) {
            return Double.POSITIVE_INFINITY;
        }
        while (from < to) {
            int middle = (from + to) >>> 1;
            if (fits(mask, candidates[middle])) {
                to = middle;
            } else {
                from = middle + 1;
            }
        }
        return candidates[to];
    }

    private int position(double seconds) {
        int at = Arrays.binarySearch(candidates, seconds);
        return at >= 0 ? at : -at - 1;
    }

    /** The choice behind a length that {@link #leastSeconds} returned. */
    PhaseChoice choose(int mask, double seconds) {
        if (!fits(mask, seconds)) {
            throw new IllegalArgumentException(
                    "no phase of " + seconds + " s with the jobs " + Integer.toBinaryString(mask));
        }
        int size = count;
        int[] chosen = new int[size];
        Role[] as = new Role[size];
        int[] widths = new int[size];
        Integer[] order = new Integer[size];
        Arrays.setAll(order, i -> i);
        Arrays.sort(order, (x, y) -> Integer.compare(jobs[x], jobs[y]));
        for (int i = 0; i < size; i++) {
            chosen[i] = jobs[order[i]];
            as[i] = roles[order[i]];
        }
        for (int i = 0; i < size; i++) {
            widths[i] = table.width(chosen[i], seconds, PhaseChoice.factor(table, chosen, as, i));
        }
        return PhaseChoice.of(table, chosen, as, widths);
    }

    private boolean fits(int mask, double seconds) {
        target = seconds;
        count = 0;
        int plain = 0;
        boolean anyHost = false;
        boolean anyExtra = false;
        for (int set = mask; set != 0; set &= set - 1) {
            int j = Integer.numberOfTrailingZeros(set);
            int i = count++;
            jobs[i] = j;
            normal[i] = table.width(j, seconds, 1);
            host[i] = widthAs(j, Role.HOST);
            extra[i] = widthAs(j, Role.EXTRA);
            roles[i] = Role.NORMAL;
            plain += normal[i];
            anyHost |= host[i] <= table.slots;
            anyExtra |= extra[i] <= table.mostExtras();
        }
        if (plain <= table.slots) {
            return true;
        }
        if (!anyHost || !anyExtra) {
            return false;
        }
        largestFirst();
        for (int w = 0; w < WEIGHTS.length; w++) {
            rest[w][count] = 0;
            for (int i = count - 1; i >= 0; i--) {
                rest[w][i] = rest[w][i + 1] + cheapest(i, WEIGHTS[w]);
            }
            if (rest[w][0] > table.slots + 1e-9) {
                return false;
            }
        }
        nodes = 0;
        Boolean found = search(0, 0, 0, 0);
        return found != null ? found : KnapsackRoles.fit(table, count, normal, host, extra, roles);
    }

    private int widthAs(int j, Role role) {
        return table.mayBe(j, role) ? table.width(j, target, table.leastFactor(j, role)) : table.slots + 1;
    }

    private void largestFirst() {
        for (int i = 1; i < count; i++) {
            for (int x = i; x > 0 && normal[x] > normal[x - 1]; x--) {
                swap(jobs, x);
                swap(normal, x);
                swap(host, x);
                swap(extra, x);
            }
        }
    }

    private static void swap(int[] values, int x) {
        int v = values[x];
        values[x] = values[x - 1];
        values[x - 1] = v;
    }

    private double cheapest(int i, double weight) {
        double least = normal[i];
        if (host[i] <= table.slots) {
            least = Math.min(least, weight * host[i]);
        }
        if (extra[i] <= table.mostExtras()) {
            least = Math.min(least, (1 - weight) * table.slotsPerExtra * extra[i]);
        }
        return least;
    }

    /** True or false if the search ended, null if the knapsack table is faster. */
    private @Nullable Boolean search(int i, int n, int h, int e) {
        if (table.uniformAlpha && ++nodes > NODES_BEFORE_TABLE) {
            return null;
        }
        for (int w = 0; w < WEIGHTS.length; w++) {
            double taken = n + WEIGHTS[w] * h + (1 - WEIGHTS[w]) * table.slotsPerExtra * e;
            if (taken + rest[w][i] > table.slots + 1e-9) {
                return Boolean.FALSE;
            }
        }
        if (n + Math.max(h, table.slotsFor(e)) > table.slots) {
            return Boolean.FALSE;
        }
        if (i == count) {
            return table.uniformAlpha || fitsWithRealFactors();
        }
        if (extra[i] <= table.mostExtras()) {
            roles[i] = Role.EXTRA;
            Boolean found = search(i + 1, n, h, e + extra[i]);
            if (found == null || found) {
                return found;
            }
        }
        if (host[i] <= table.slots) {
            roles[i] = Role.HOST;
            Boolean found = search(i + 1, n, h + host[i], e);
            if (found == null || found) {
                return found;
            }
        }
        roles[i] = Role.NORMAL;
        return search(i + 1, n + normal[i], h, e);
    }

    /** With measured factors, the smallest factor, which the search uses, may not be the real one. */
    private boolean fitsWithRealFactors() {
        int[] chosen = Arrays.copyOf(jobs, count);
        Role[] as = Arrays.copyOf(roles, count);
        int n = 0;
        int h = 0;
        int e = 0;
        for (int i = 0; i < count; i++) {
            int width = table.width(chosen[i], target, PhaseChoice.factor(table, chosen, as, i));
            if (width > table.slots) {
                return false;
            }
            switch (as[i]) {
                case NORMAL -> n += width;
                case HOST -> h += width;
                case EXTRA -> e += width;
            }
        }
        return n + Math.max(h, table.slotsFor(e)) <= table.slots;
    }
}
