// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.solve.phased;

import org.heddle.packing.model.Role;
import org.heddle.packing.solve.JobTable;

/**
 * A set of jobs that run side by side.
 *
 * @param jobs their indices, ascending
 * @param roles as {@code jobs}
 * @param widths VM counts, as {@code jobs}
 * @param jobSeconds run times with penalties, as {@code jobs}
 * @param seconds the longest of them
 */
@SuppressWarnings("ArrayRecordComponent") // inner loop of the planners; never compared or printed
public record PhaseChoice(int[] jobs, Role[] roles, int[] widths, double[] jobSeconds, double seconds) {

    /** A phase that no cluster of this size can run: infinitely long, without VMs. */
    static PhaseChoice impossible(int[] jobs) {
        return new PhaseChoice(jobs, new Role[0], new int[0], new double[0], Double.POSITIVE_INFINITY);
    }

    /** Completes a choice of roles and VM counts: drops useless penalties, widens hosts to what their extras need. */
    public static PhaseChoice of(JobTable table, int[] jobs, Role[] roles, int[] widths) {
        boolean hosts = false;
        boolean extras = false;
        for (Role role : roles) {
            hosts |= role == Role.HOST;
            extras |= role == Role.EXTRA;
        }
        int missing = 0;
        for (int i = 0; i < jobs.length; i++) {
            if (!hosts || !extras) {
                roles[i] = Role.NORMAL;
            } else if (roles[i] == Role.EXTRA) {
                missing += table.problem.ratio() * widths[i];
            } else if (roles[i] == Role.HOST) {
                missing -= widths[i];
            }
        }
        if (hosts && extras) {
            for (int i = 0; i < jobs.length && missing > 0; i++) {
                if (roles[i] == Role.HOST) {
                    widths[i] += missing;
                    missing = 0;
                }
            }
        }
        double[] jobSeconds = new double[jobs.length];
        double seconds = 0;
        for (int i = 0; i < jobs.length; i++) {
            jobSeconds[i] = factor(table, jobs, roles, i) * table.seconds(jobs[i], widths[i]);
            seconds = Math.max(seconds, jobSeconds[i]);
        }
        return new PhaseChoice(jobs, roles, widths, jobSeconds, seconds);
    }

    /** The penalty of one job among the others: the largest over the partners it may meet. */
    static double factor(JobTable table, int[] jobs, Role[] roles, int i) {
        if (roles[i] == Role.NORMAL) {
            return 1;
        }
        if (table.uniformAlpha) {
            return table.leastFactor(jobs[i], roles[i]);
        }
        double factor = 1;
        for (int o = 0; o < jobs.length; o++) {
            if (roles[i] == Role.HOST && roles[o] == Role.EXTRA) {
                factor = Math.max(factor, table.alpha(jobs[i], jobs[o]));
            } else if (roles[i] == Role.EXTRA && roles[o] == Role.HOST) {
                factor = Math.max(factor, table.alpha(jobs[o], jobs[i]));
            }
        }
        return factor;
    }

    /** One job alone on the whole cluster. */
    public static PhaseChoice alone(JobTable table, int job) {
        return of(
                table, new int[] {job}, new Role[] {Role.NORMAL}, new int[] {table.width(job, table.fastest(job), 1)});
    }
}
