// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.solve.timed;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import org.heddle.packing.model.Assignment;
import org.heddle.packing.model.Problem;
import org.heddle.packing.model.Role;
import org.heddle.packing.model.Vm;
import org.jspecify.annotations.Nullable;

/**
 * Puts the VMs of a non-phased plan on machines and disks, in order of their starts. Without overcommit
 * that always succeeds. With overcommit, normal VMs on many machines may leave no whole machine for an extra, although
 * there are enough slots; then there is no placement, and the caller must drop the plan.
 */
final class TimedPlacement {
    private final Problem problem;
    private final int dedicated;
    private final double[][] diskFree;
    private final double[] normalsUntil;
    private final double[] extrasUntil;
    private final double[][] extraEnds;

    private TimedPlacement(Problem problem, int dedicated) {
        this.problem = problem;
        this.dedicated = dedicated;
        diskFree = new double[problem.machines()][problem.disks()];
        normalsUntil = new double[problem.machines()];
        extrasUntil = new double[problem.machines()];
        extraEnds = new double[problem.machines()][problem.extrasPerMachine()];
    }

    /**
     * Placements in the order of {@code assignments}, or null if none was found.
     *
     * @param dedicated machines for hosts and extras only, the others are for normal jobs; negative for any machine
     */
    static @Nullable List<List<Vm>> place(Problem problem, List<Assignment> assignments, int dedicated) {
        Integer[] order = new Integer[assignments.size()];
        Arrays.setAll(order, i -> i);
        Comparator<Assignment> byStart = Comparator.comparingDouble(Assignment::start);
        Comparator<Assignment> extrasFirst = byStart.thenComparing(Assignment::role, Comparator.reverseOrder());
        Arrays.sort(order, Comparator.comparing(assignments::get, extrasFirst));
        TimedPlacement placement = new TimedPlacement(problem, dedicated);
        List<List<Vm>> placed = new ArrayList<>(Collections.nCopies(assignments.size(), List.of()));
        for (int i : order) {
            List<Vm> vms = placement.place(assignments.get(i));
            if (vms.size() < assignments.get(i).vms()) {
                return null;
            }
            placed.set(i, vms);
        }
        return placed;
    }

    private List<Vm> place(Assignment assignment) {
        List<Vm> vms = new ArrayList<>();
        boolean overcommit = assignment.role() != Role.NORMAL;
        for (int round = 0; round < 2; round++) {
            for (int i = 0; i < problem.machines() && vms.size() < assignment.vms(); i++) {
                int machine = overcommit ? i : problem.machines() - 1 - i;
                if (dedicated >= 0 && overcommit != machine < dedicated) {
                    continue;
                }
                boolean extras = overcommit && extrasUntil[machine] > assignment.start();
                boolean inUse = extras || isBusy(machine, assignment.start());
                if (inUse == (round == 0)) {
                    if (assignment.role() == Role.EXTRA) {
                        addExtras(machine, assignment, vms);
                    } else {
                        addPrimaries(machine, assignment, vms);
                    }
                }
            }
        }
        return vms;
    }

    private boolean isBusy(int machine, double now) {
        for (double free : diskFree[machine]) {
            if (free > now) {
                return true;
            }
        }
        return false;
    }

    private void addPrimaries(int machine, Assignment assignment, List<Vm> vms) {
        if (assignment.role() == Role.NORMAL && extrasUntil[machine] > assignment.start()) {
            return;
        }
        for (int d = 0; d < problem.disks() && vms.size() < assignment.vms(); d++) {
            if (diskFree[machine][d] <= assignment.start()) {
                diskFree[machine][d] = assignment.end();
                vms.add(new Vm(machine, d));
                if (assignment.role() == Role.NORMAL) {
                    normalsUntil[machine] = Math.max(normalsUntil[machine], assignment.end());
                }
            }
        }
    }

    private void addExtras(int machine, Assignment assignment, List<Vm> vms) {
        if (normalsUntil[machine] > assignment.start()) {
            return;
        }
        for (int x = 0; x < problem.extrasPerMachine() && vms.size() < assignment.vms(); x++) {
            if (extraEnds[machine][x] <= assignment.start()) {
                extraEnds[machine][x] = assignment.end();
                extrasUntil[machine] = Math.max(extrasUntil[machine], assignment.end());
                vms.add(new Vm(machine, x * problem.ratio()));
            }
        }
    }
}
