// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.solve.phased;

import java.util.Arrays;
import org.heddle.packing.model.Role;
import org.heddle.packing.solve.JobTable;

/**
 * Finds a short phase for any number of jobs. It is exact without overcommit and nearly exact with it; {@link
 * PhaseOracle} is always exact, and slower. Each job takes the role with the least of n, l h and (1-l) q e, for values
 * of l at which the role of some job changes. Then single jobs change their roles while that saves slots.
 */
final class LargeOracle {
    /** With more weights than this, which many jobs have, some are passed over. */
    private static final int MOST_WEIGHTS = 128;

    private final JobTable table;
    private final int[] normal;
    private final int[] host;
    private final int[] extra;
    private final Role[] candidate;
    private final Role[] bestRoles;
    private final double[] weights;

    LargeOracle(JobTable table) {
        this.table = table;
        int m = table.jobs;
        normal = new int[m];
        host = new int[m];
        extra = new int[m];
        candidate = new Role[m];
        bestRoles = new Role[m];
        weights = new double[2 * m + 1];
    }

    /**
     * A phase with exactly these jobs (ascending indices), {@link PhaseChoice#impossible} if their VMs do not fit side
     * by side. At most N jobs always fit; up to N hosts and N extras may fit beside each other.
     */
    PhaseChoice shortest(int[] jobs) {
        double low = 0;
        double longest = 0;
        for (int j : jobs) {
            low = Math.max(low, table.fastest(j));
            longest = Math.max(longest, table.slowest(j));
        }
        double high = low;
        while (slots(jobs, high) > table.slots) {
            if (high >= longest) {
                return PhaseChoice.impossible(jobs);
            }
            low = high;
            high = Math.min(2 * high, longest);
        }
        while (high - low > 1e-10 * high) {
            double middle = (low + high) / 2;
            if (slots(jobs, middle) <= table.slots) {
                high = middle;
            } else {
                low = middle;
            }
        }
        return at(jobs, high);
    }

    /** The choice at a length for which {@link #slots} says that the jobs fit. */
    PhaseChoice at(int[] jobs, double seconds) {
        slots(jobs, seconds);
        int[] widths = new int[jobs.length];
        Role[] roles = Arrays.copyOf(bestRoles, jobs.length);
        for (int i = 0; i < jobs.length; i++) {
            widths[i] = switch (roles[i]) {
                case NORMAL -> normal[i];
                case HOST -> host[i];
                case EXTRA -> extra[i];
            };
        }
        return PhaseChoice.of(table, jobs, roles, widths);
    }

    /** Slots that the jobs take side by side in a phase of this length; more than N if they do not fit. */
    private int slots(int[] jobs, double seconds) {
        long plain = 0;
        boolean hosts = false;
        boolean extras = false;
        for (int i = 0; i < jobs.length; i++) {
            int j = jobs[i];
            normal[i] = table.width(j, seconds, 1);
            host[i] = widthAs(j, Role.HOST, seconds, table.slots);
            extra[i] = widthAs(j, Role.EXTRA, seconds, table.mostExtras());
            bestRoles[i] = Role.NORMAL;
            plain += normal[i];
            hosts |= host[i] < Integer.MAX_VALUE;
            extras |= extra[i] < Integer.MAX_VALUE;
        }
        int none = (int) Math.min(plain, Integer.MAX_VALUE / 4);
        return plain <= table.slots || !hosts || !extras ? none : overcommitted(jobs.length, none);
    }

    private int widthAs(int j, Role role, double seconds, int most) {
        if (!table.mayBe(j, role)) {
            return Integer.MAX_VALUE;
        }
        int width = table.width(j, seconds, table.mostFactor(j, role));
        return width > most ? Integer.MAX_VALUE : width;
    }

    private int overcommitted(int count, int none) {
        double q = table.slotsPerExtra;
        int size = 0;
        for (int i = 0; i < count; i++) {
            if (host[i] < Integer.MAX_VALUE) {
                weights[size++] = Math.min(1, (double) normal[i] / host[i]);
            }
            if (extra[i] < Integer.MAX_VALUE) {
                weights[size++] = Math.max(0, 1 - normal[i] / (q * extra[i]));
            }
        }
        weights[size++] = q / (1 + q);
        Arrays.sort(weights, 0, size);
        int best = none;
        double last = -1;
        int stride = Math.max(1, size / MOST_WEIGHTS);
        for (int w = 0; w < size; w += stride) {
            if (weights[w] - last < 1e-6) {
                continue;
            }
            last = weights[w];
            int total = improve(count, assign(count, last));
            if (total < best) {
                best = total;
                System.arraycopy(candidate, 0, bestRoles, 0, count);
            }
        }
        return best;
    }

    private int n;
    private int h;
    private int e;

    private int assign(int count, double weight) {
        double q = table.slotsPerExtra;
        n = 0;
        h = 0;
        e = 0;
        for (int i = 0; i < count; i++) {
            double asHost = host[i] < Integer.MAX_VALUE ? weight * host[i] : Double.POSITIVE_INFINITY;
            double asExtra = extra[i] < Integer.MAX_VALUE ? (1 - weight) * q * extra[i] : Double.POSITIVE_INFINITY;
            boolean either = asHost < Double.POSITIVE_INFINITY && Math.abs(asHost - asExtra) <= 1e-9 * asHost;
            if (normal[i] < Math.min(asHost, asExtra)) {
                set(i, Role.NORMAL);
            } else if (either ? h <= q * e : asHost < asExtra) {
                set(i, Role.HOST);
            } else {
                set(i, Role.EXTRA);
            }
        }
        return total();
    }

    private void set(int i, Role role) {
        candidate[i] = role;
        add(i, role, 1);
    }

    private void add(int i, Role role, int sign) {
        switch (role) {
            case NORMAL -> n += sign * normal[i];
            case HOST -> h += sign * host[i];
            case EXTRA -> e += sign * extra[i];
        }
    }

    private int total() {
        return n + Math.max(h, table.slotsFor(e));
    }

    private boolean mayBe(int i, Role role) {
        return switch (role) {
            case NORMAL -> true;
            case HOST -> host[i] != Integer.MAX_VALUE;
            case EXTRA -> extra[i] != Integer.MAX_VALUE;
        };
    }

    /** Moves single jobs to other roles while that saves slots. */
    private int improve(int count, int start) {
        int total = start;
        boolean moved = true;
        while (moved) {
            moved = false;
            for (int i = 0; i < count; i++) {
                Role from = candidate[i];
                for (Role to : ROLES) {
                    if (to == from || !mayBe(i, to)) {
                        continue;
                    }
                    add(i, from, -1);
                    add(i, to, 1);
                    if (total() < total) {
                        total = total();
                        candidate[i] = to;
                        from = to;
                        moved = true;
                    } else {
                        add(i, to, -1);
                        add(i, from, 1);
                    }
                }
            }
        }
        return total;
    }

    private static final Role[] ROLES = Role.values();
}
