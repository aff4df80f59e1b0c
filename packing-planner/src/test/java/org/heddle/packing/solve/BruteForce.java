// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.solve;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.heddle.packing.model.Job;
import org.heddle.packing.model.Problem;
import org.heddle.packing.model.Role;

/** The optimal phased makespan by trying every partition, every assignment of roles and every VM count. */
public final class BruteForce {
    private static final List<Role> ROLES = List.of(Role.values());
    private final Problem problem;
    private double best = Double.POSITIVE_INFINITY;

    private BruteForce(Problem problem) {
        this.problem = problem;
    }

    public static double makespan(Problem problem) {
        BruteForce force = new BruteForce(problem);
        force.partition(0, new ArrayList<>());
        return force.best;
    }

    /** Seconds of the shortest phase with all jobs of the problem; infinite if they do not fit side by side. */
    public static double phase(Problem problem) {
        return new BruteForce(problem).shortest(problem.jobs());
    }

    private void partition(int next, List<List<Job>> phases) {
        if (next == problem.jobs().size()) {
            double sum = 0;
            for (List<Job> phase : phases) {
                sum += shortest(phase);
            }
            best = Math.min(best, sum);
            return;
        }
        Job job = problem.jobs().get(next);
        for (int i = 0; i < phases.size(); i++) {
            phases.get(i).add(job);
            partition(next + 1, phases);
            phases.get(i).remove(job);
        }
        List<Job> own = new ArrayList<>(List.of(job));
        phases.add(own);
        partition(next + 1, phases);
        phases.remove(phases.size() - 1);
    }

    private double shortest(List<Job> phase) {
        double shortest = Double.POSITIVE_INFINITY;
        int combinations = (int) Math.pow(3, phase.size());
        for (int c = 0; c < combinations; c++) {
            Role[] roles = new Role[phase.size()];
            boolean allowed = true;
            boolean hosts = false;
            boolean extras = false;
            for (int i = 0, rest = c; i < roles.length; i++, rest /= 3) {
                roles[i] = ROLES.get(rest % 3);
                allowed &= phase.get(i).mayBe(roles[i]);
                hosts |= roles[i] == Role.HOST;
                extras |= roles[i] == Role.EXTRA;
            }
            if (allowed && hosts == extras) {
                shortest = Math.min(shortest, shortest(phase, roles));
            }
        }
        return shortest;
    }

    private double shortest(List<Job> phase, Role[] roles) {
        TreeSet<Double> lengths = new TreeSet<>();
        for (int i = 0; i < roles.length; i++) {
            for (int n = 1; n <= problem.slots(); n++) {
                lengths.add(seconds(phase, roles, i, n));
            }
        }
        for (double length : lengths) {
            int n = 0;
            int h = 0;
            int e = 0;
            for (int i = 0; i < roles.length && n <= problem.slots(); i++) {
                int width = 1;
                while (width <= problem.slots() && seconds(phase, roles, i, width) > length) {
                    width++;
                }
                n += width > problem.slots() ? 2 * problem.slots() : roles[i] == Role.NORMAL ? width : 0;
                h += roles[i] == Role.HOST ? width : 0;
                e += roles[i] == Role.EXTRA ? width : 0;
            }
            int perMachine = problem.disks() / problem.ratio();
            int blocked = (e + perMachine - 1) / perMachine * problem.disks();
            if (n + Math.max(h, blocked) <= problem.slots()) {
                return length;
            }
        }
        return Double.POSITIVE_INFINITY;
    }

    private double seconds(List<Job> phase, Role[] roles, int i, int n) {
        double factor = 1;
        for (int o = 0; o < roles.length; o++) {
            if (roles[i] == Role.HOST && roles[o] == Role.EXTRA) {
                factor = Math.max(
                        factor,
                        problem.alpha().of(phase.get(i).name(), phase.get(o).name()));
            }
            if (roles[i] == Role.EXTRA && roles[o] == Role.HOST) {
                factor = Math.max(
                        factor,
                        problem.alpha().of(phase.get(o).name(), phase.get(i).name()));
            }
        }
        return factor * phase.get(i).model().seconds(n);
    }
}
