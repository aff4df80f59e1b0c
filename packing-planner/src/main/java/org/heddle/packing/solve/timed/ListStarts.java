// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.solve.timed;

import java.util.Arrays;
import java.util.Comparator;
import org.heddle.packing.model.Role;
import org.heddle.packing.solve.JobTable;
import org.heddle.packing.solve.bound.AreaBound;

/**
 * Starting points for {@link TimedSearch} beside the phased plan. Each job gets the least VM count with which it ends
 * within a length, and jobs start in the order of their run times, the longest first. With many jobs on few slots that
 * is much shorter than any phased plan, because a phase lasts as long as its longest job. With overcommit, hosts and
 * extras have machines of their own, as many as their part of the VM-seconds, so that there is always a placement.
 */
final class ListStarts {
    /** Lengths, as multiples of the area bound. */
    private static final double[] STRETCH = {1.02, 1, 1.05, 1.1, 1.2, 1.4, 1.7, 2.2};

    private static final double TIE = 1e-6;

    private final JobTable table;
    private final AreaBound area;
    private final double seconds;

    /** @param seconds what the area bound gives */
    ListStarts(JobTable table, AreaBound area, double seconds) {
        this.table = table;
        this.area = area;
        this.seconds = seconds;
    }

    /**
     * VM counts, roles and order of the jobs.
     *
     * @param dedicated machines for hosts and extras only; negative if there is no overcommit
     */
    record Start(int[] order, int[] widths, Role[] roles, int dedicated) {}

    int count() {
        return 2 * STRETCH.length;
    }

    /** Whether a start is tried even if no time is left: one with overcommit and one without. */
    static boolean isFirst(int index) {
        return index % STRETCH.length == 0;
    }

    /** The start with this index: first with the roles of the area bound, then without overcommit. */
    Start get(int index) {
        double length = STRETCH[index % STRETCH.length] * seconds;
        Role[] roles = new Role[table.jobs];
        Arrays.fill(roles, Role.NORMAL);
        int dedicated = index < STRETCH.length ? overcommit(length, roles) : -1;
        if (dedicated < 0) {
            Arrays.fill(roles, Role.NORMAL);
        }
        int[] widths = new int[table.jobs];
        double[] runs = new double[table.jobs];
        Integer[] order = new Integer[table.jobs];
        for (int j = 0; j < table.jobs; j++) {
            double factor = table.mostFactor(j, roles[j]);
            widths[j] = Math.min(Timetable.most(table, roles[j], dedicated), table.width(j, length, factor));
            runs[j] = factor * table.seconds(j, widths[j]);
            order[j] = j;
        }
        Arrays.sort(order, Comparator.comparingDouble(j -> -runs[j]));
        return new Start(Arrays.stream(order).mapToInt(Integer::intValue).toArray(), widths, roles, dedicated);
    }

    /** Chooses the roles and returns how many machines hosts and extras get; negative if that cannot be. */
    private int overcommit(double length, Role[] roles) {
        double normals = 0;
        double hosts = 0;
        double extras = 0;
        for (int j = 0; j < table.jobs; j++) {
            double asNormal = area.weighted(j, Role.NORMAL, length);
            double asHost = area.weighted(j, Role.HOST, length);
            double asExtra = area.weighted(j, Role.EXTRA, length);
            boolean either = Double.isFinite(asHost) && Math.abs(asHost - asExtra) <= TIE * asHost;
            if (asNormal <= Math.min(asHost, asExtra)) {
                normals += asNormal;
            } else if (either ? hosts <= extras : asHost < asExtra) {
                roles[j] = Role.HOST;
                hosts += asHost / area.weight();
            } else {
                roles[j] = Role.EXTRA;
                extras += asExtra / (1 - area.weight());
            }
        }
        int machines = table.problem.machines();
        double both = Math.max(hosts, extras);
        int dedicated = (int) Math.round(machines * both / (normals + both));
        int most = normals > 0 ? machines - 1 : machines;
        return hosts > 0 && extras > 0 && most >= 1 ? Math.max(1, Math.min(most, dedicated)) : -1;
    }
}
