// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.solve.timed;

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

    /** Sets {@link #start} and returns the makespan; returns infinity if it is not below {@code limit}. */
    double schedule(int[] order, int[] widths, Role[] roles, double[] seconds, double limit) {
        steps = 1;
        times[0] = 0;
        normal[0] = 0;
        host[0] = 0;
        extra[0] = 0;
        double makespan = 0;
        for (int j : order) {
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
        for (int at = 0; ; ) {
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

    private boolean fits(int step, int width, Role role) {
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
            for (int s = steps; s > last; s--) {
                copy(s - 1, s);
            }
            copy(last - 1, last);
            times[last] = end;
            steps++;
        }
        int[] column = role == Role.NORMAL ? normal : role == Role.HOST ? host : extra;
        for (int s = at; s < last; s++) {
            column[s] += width;
        }
    }

    private void copy(int from, int to) {
        times[to] = times[from];
        normal[to] = normal[from];
        host[to] = host[from];
        extra[to] = extra[from];
    }
}
