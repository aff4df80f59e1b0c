// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.solve.timed;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.heddle.packing.model.Assignment;
import org.heddle.packing.model.Problem;
import org.heddle.packing.model.Role;
import org.heddle.packing.model.Vm;
import org.jspecify.annotations.Nullable;

/**
 * Puts the VMs of a non-phased plan on machines and disks, in order of their starts. Without overcommit
 * that always succeeds. With it, normal VMs scattered over machines can leave no whole machine for an
 * extra although the slots would do; then there is no placement and the plan must be dropped.
 */
final class TimedPlacement {
    private final Problem problem;
    private final double[][] diskFree;
    private final double[] normalsUntil;
    private final double[] extrasUntil;
    private final double[][] extraEnds;

    private TimedPlacement(Problem problem) {
        this.problem = problem;
        diskFree = new double[problem.machines()][problem.disks()];
        normalsUntil = new double[problem.machines()];
        extrasUntil = new double[problem.machines()];
        extraEnds = new double[problem.machines()][problem.extrasPerMachine()];
    }

    /** Placements in the order of {@code shares}, or null if none was found. */
    static @Nullable List<List<Vm>> place(Problem problem, List<Assignment> shares) {
        Integer[] order = new Integer[shares.size()];
        Arrays.setAll(order, i -> i);
        Arrays.sort(order, (x, y) -> {
            int byStart = Double.compare(shares.get(x).start(), shares.get(y).start());
            return byStart != 0
                    ? byStart
                    : -shares.get(x).role().compareTo(shares.get(y).role());
        });
        TimedPlacement placement = new TimedPlacement(problem);
        List<List<Vm>> placed = new ArrayList<>(Collections.nCopies(shares.size(), List.of()));
        for (int i : order) {
            List<Vm> vms = placement.place(shares.get(i));
            if (vms.size() < shares.get(i).vms()) {
                return null;
            }
            placed.set(i, vms);
        }
        return placed;
    }

    private List<Vm> place(Assignment share) {
        List<Vm> vms = new ArrayList<>();
        boolean overcommit = share.role() != Role.NORMAL;
        for (int round = 0; round < 2; round++) {
            for (int i = 0; i < problem.machines() && vms.size() < share.vms(); i++) {
                int machine = overcommit ? i : problem.machines() - 1 - i;
                boolean inUse = overcommit
                        ? isBusy(machine, share.start()) || extrasUntil[machine] > share.start()
                        : isBusy(machine, share.start());
                if (inUse == (round == 0)) {
                    if (share.role() == Role.EXTRA) {
                        addExtras(machine, share, vms);
                    } else {
                        addPrimaries(machine, share, vms);
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

    private void addPrimaries(int machine, Assignment share, List<Vm> vms) {
        if (share.role() == Role.NORMAL && extrasUntil[machine] > share.start()) {
            return;
        }
        for (int d = 0; d < problem.disks() && vms.size() < share.vms(); d++) {
            if (diskFree[machine][d] <= share.start()) {
                diskFree[machine][d] = share.end();
                vms.add(new Vm(machine, d));
                if (share.role() == Role.NORMAL) {
                    normalsUntil[machine] = Math.max(normalsUntil[machine], share.end());
                }
            }
        }
    }

    private void addExtras(int machine, Assignment share, List<Vm> vms) {
        if (normalsUntil[machine] > share.start()) {
            return;
        }
        for (int x = 0; x < problem.extrasPerMachine() && vms.size() < share.vms(); x++) {
            if (extraEnds[machine][x] <= share.start()) {
                extraEnds[machine][x] = share.end();
                extrasUntil[machine] = Math.max(extrasUntil[machine], share.end());
                vms.add(new Vm(machine, x * problem.ratio()));
            }
        }
    }
}
