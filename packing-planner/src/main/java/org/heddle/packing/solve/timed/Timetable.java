// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.solve.timed;

import java.util.Arrays;
import org.heddle.packing.model.Role;
import org.heddle.packing.solve.JobTable;

/**
 * Serial list scheduling: jobs in a given order, each at the earliest start at which its VMs fit for its
 * whole run. At each instant {@code normal + host <= N} and {@code normal + g(extra) <= N}; a host's
 * machine may stand idle beside an extra after the host has ended. (A rule that each extra has a running
 * host at each instant would forbid some phased plans.)
 */
final class Timetable {
    private final JobTable table;
    private final double[] times;
    private final int[] normal;
    private final int[] host;
    private final int[] extra;
    /** Per role, the first step at which a VM of that role may fit; during one schedule VMs only become more. */
    private final int[] open = new int[3];

    private int dedicated = -1;
    private int steps;
    final double[] start;

    Timetable(JobTable table) {
        this.table = table;
        times = new double[2 * table.jobs + 2];
        normal = new int[2 * table.jobs + 2];
        host = new int[2 * table.jobs + 2];
        extra = new int[2 * table.jobs + 2];
        start = new double[table.jobs];
    }

    /** Keeps this many machines for hosts and extras, and the others for normal jobs; a negative count keeps none. */
    void dedicate(int machines) {
        dedicated = machines;
    }

    int dedicated() {
        return dedicated;
    }

    /** The most VMs that a job with this role may have. */
    int most(Role role) {
        return most(table, role, dedicated);
    }

    static int most(JobTable table, Role role, int dedicated) {
        if (dedicated < 0) {
            return role == Role.EXTRA ? table.mostExtras() : table.slots;
        }
        int disks = table.problem.disks();
        return switch (role) {
            case NORMAL -> table.slots - dedicated * disks;
            case HOST -> dedicated * disks;
            case EXTRA -> dedicated * table.extrasPerMachine;
        };
    }

    /** Sets {@link #start} and returns the makespan; returns infinity if it is not below {@code limit}. */
    double schedule(int[] order, int[] widths, Role[] roles, double[] seconds, double limit) {
        steps = 1;
        times[0] = 0;
        normal[0] = 0;
        host[0] = 0;
        extra[0] = 0;
        Arrays.fill(open, 0);
        double makespan = 0;
        for (int j : order) {
            if (widths[j] > most(roles[j])) {
                return Double.POSITIVE_INFINITY;
            }
            int at = earliest(widths[j], roles[j], seconds[j]);
            start[j] = times[at];
            double end = start[j] + seconds[j];
            if (end >= limit) {
                return Double.POSITIVE_INFINITY;
            }
            makespan = Math.max(makespan, end);
            occupy(at, end, widths[j], roles[j]);
        }
        return makespan;
    }

    private int earliest(int width, Role role, double seconds) {
        int first = index(role);
        while (!fits(open[first], 1, role)) {
            open[first]++;
        }
        for (int at = open[first]; ; ) {
            int blocked = -1;
            double end = times[at] + seconds;
            for (int s = at; s < steps && times[s] < end; s++) {
                if (!fits(s, width, role)) {
                    blocked = s;
                }
            }
            if (blocked < 0) {
                return at;
            }
            at = blocked + 1;
        }
    }

    private static int index(Role role) {
        return switch (role) {
            case NORMAL -> 0;
            case HOST -> 1;
            case EXTRA -> 2;
        };
    }

    private int[] column(Role role) {
        return switch (role) {
            case NORMAL -> normal;
            case HOST -> host;
            case EXTRA -> extra;
        };
    }

    private boolean fits(int step, int width, Role role) {
        if (dedicated >= 0) {
            return column(role)[step] + width <= most(role);
        }
        int n = normal[step];
        return switch (role) {
            case NORMAL -> n + width + Math.max(host[step], table.slotsFor(extra[step])) <= table.slots;
            case HOST -> n + host[step] + width <= table.slots;
            case EXTRA -> n + table.slotsFor(extra[step] + width) <= table.slots;
        };
    }

    private void occupy(int at, double end, int width, Role role) {
        int last = at;
        while (last < steps && times[last] < end) {
            last++;
        }
        if (last == steps || times[last] > end) {
            insert(times, last);
            insert(normal, last);
            insert(host, last);
            insert(extra, last);
            times[last] = end;
            steps++;
            for (int other = 0; other < open.length; other++) {
                open[other] += open[other] > last ? 1 : 0;
            }
        }
        int[] column = column(role);
        for (int s = at; s < last; s++) {
            column[s] += width;
        }
    }

    /** Doubles the step before {@code at}. */
    private void insert(Object column, int at) {
        System.arraycopy(column, at - 1, column, at, steps - at + 1);
    }
}
