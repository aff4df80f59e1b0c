// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.run;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.heddle.packing.model.Assignment;
import org.heddle.packing.model.Phase;
import org.heddle.packing.model.Plan;
import org.heddle.packing.model.Role;
import org.heddle.packing.model.Vm;

/**
 * The order of the jobs of a plan: a job starts when all jobs of earlier phases have ended, and those jobs of its phase
 * that leave it their VMs. So no job needs more VMs than there are, however long the jobs before it take. In a phased
 * plan all jobs of a phase start together, in a nonphased plan each one follows the jobs on its own VMs.
 */
final class Precedence {
    /** Part of a time by which the end of a job in a plan may be behind the start of the job that follows it. */
    private static final double SLACK = 1e-6;

    private final Map<String, List<Assignment>> before = new LinkedHashMap<>();
    private final Map<String, Integer> phases = new LinkedHashMap<>();

    /** @param plan in which each job has one assignment */
    Precedence(Plan plan) {
        List<Assignment> earlier = new ArrayList<>();
        for (int p = 0; p < plan.phases().size(); p++) {
            Phase phase = plan.phases().get(p);
            for (Assignment job : phase.assignments()) {
                List<Assignment> all = new ArrayList<>(earlier);
                phase.assignments().stream()
                        .filter(other -> other.end() <= job.start() + SLACK * job.start() && leavesVms(other, job))
                        .forEach(all::add);
                before.put(job.job(), all);
                phases.put(job.job(), p);
            }
            earlier.addAll(phase.assignments());
        }
    }

    /** The assignments whose jobs must have succeeded before this one starts. */
    List<Assignment> before(Assignment assignment) {
        return Objects.requireNonNull(before.get(assignment.job()));
    }

    /** The phase of a job, from 0. */
    int phase(Assignment assignment) {
        return Objects.requireNonNull(phases.get(assignment.job()));
    }

    /** Whether two jobs cannot run at the same time because of a machine or disk that both use. */
    private static boolean leavesVms(Assignment one, Assignment other) {
        Set<Vm> disks = new HashSet<>(one.placement());
        Set<Integer> machines = new HashSet<>();
        one.placement().forEach(vm -> machines.add(vm.machine()));
        boolean extra = one.role() == Role.EXTRA;
        if (extra == (other.role() == Role.EXTRA)) {
            // The number of extras on a machine is limited, whatever disk they are said to share.
            return other.placement().stream()
                    .anyMatch(vm -> extra ? machines.contains(vm.machine()) : disks.contains(vm));
        }
        boolean hosted = one.role() == Role.HOST || other.role() == Role.HOST;
        return !hosted && other.placement().stream().anyMatch(vm -> machines.contains(vm.machine()));
    }
}
