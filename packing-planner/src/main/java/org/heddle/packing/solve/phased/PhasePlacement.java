// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.solve.phased;

import java.util.ArrayList;
import java.util.List;
import org.heddle.packing.model.Problem;
import org.heddle.packing.model.Role;
import org.heddle.packing.model.Vm;

/**
 * Puts the VMs of one phase on machines and disks.
 *
 * <p>The paper's order (section 5.2: I/O round robin first) can leave no machine with r hosts, so hosts
 * go first and densely: machine after machine gets floor(k/r) extras, spread over its disks, and r host
 * VMs for each. These machines take no normal VM. Then normal I/O VMs go round robin over the other
 * machines, so that their disks' controllers share the load, then the rest fills up.
 */
public final class PhasePlacement {
    private final Problem problem;
    private final int[] used;

    private PhasePlacement(Problem problem) {
        this.problem = problem;
        used = new int[problem.machines()];
    }

    /** Placements in the order of {@code roles}; {@code jobs} are indices into the problem. */
    public static List<List<Vm>> place(Problem problem, int[] jobs, Role[] roles, int[] widths) {
        return new PhasePlacement(problem).place(jobs, roles, widths);
    }

    private List<List<Vm>> place(int[] jobs, Role[] roles, int[] widths) {
        List<List<Vm>> placed = new ArrayList<>();
        int extras = 0;
        for (int i = 0; i < jobs.length; i++) {
            placed.add(new ArrayList<>(widths[i]));
            extras += roles[i] == Role.EXTRA ? widths[i] : 0;
        }
        int dedicated = (extras + problem.extrasPerMachine() - 1) / problem.extrasPerMachine();
        placeExtras(roles, widths, placed);
        placeHosts(roles, widths, placed, extras, dedicated);
        placeNormalIo(jobs, roles, widths, placed, dedicated);
        placeOthers(jobs, roles, widths, placed, dedicated);
        return placed;
    }

    private void placeExtras(Role[] roles, int[] widths, List<List<Vm>> placed) {
        int next = 0;
        for (int i = 0; i < roles.length; i++) {
            for (int v = 0; roles[i] == Role.EXTRA && v < widths[i]; v++, next++) {
                int onMachine = next % problem.extrasPerMachine();
                placed.get(i).add(new Vm(next / problem.extrasPerMachine(), onMachine * problem.ratio()));
            }
        }
    }

    /** First r per extra on each dedicated machine, then what is left of these machines, then the others. */
    private void placeHosts(Role[] roles, int[] widths, List<List<Vm>> placed, int extras, int dedicated) {
        List<Vm> order = new ArrayList<>();
        int whole = problem.extrasPerMachine() * problem.ratio();
        for (int m = 0; m < dedicated; m++) {
            int here = Math.min(whole, (extras - m * problem.extrasPerMachine()) * problem.ratio());
            for (int d = 0; d < here; d++) {
                order.add(new Vm(m, d));
            }
        }
        for (int m = 0; m < dedicated; m++) {
            int here = Math.min(whole, (extras - m * problem.extrasPerMachine()) * problem.ratio());
            for (int d = here; d < problem.disks(); d++) {
                order.add(new Vm(m, d));
            }
        }
        int next = 0;
        for (int i = 0; i < roles.length; i++) {
            for (int v = 0; roles[i] == Role.HOST && v < widths[i]; v++, next++) {
                placed.get(i).add(next < order.size() ? order.get(next) : fill(dedicated));
            }
        }
    }

    private int first;

    private Vm fill(int dedicated) {
        first = Math.max(first, dedicated);
        while (used[first] == problem.disks()) {
            first++;
        }
        return new Vm(first, used[first]++);
    }

    private void placeNormalIo(int[] jobs, Role[] roles, int[] widths, List<List<Vm>> placed, int dedicated) {
        int machine = dedicated;
        for (int i = 0; i < jobs.length; i++) {
            for (int v = 0; isNormalIo(jobs[i], roles[i]) && v < widths[i]; v++) {
                while (used[machine] == problem.disks()) {
                    machine = machine + 1 == problem.machines() ? dedicated : machine + 1;
                }
                placed.get(i).add(new Vm(machine, used[machine]++));
                machine = machine + 1 == problem.machines() ? dedicated : machine + 1;
            }
        }
    }

    private void placeOthers(int[] jobs, Role[] roles, int[] widths, List<List<Vm>> placed, int dedicated) {
        first = dedicated;
        for (int i = 0; i < jobs.length; i++) {
            boolean other = roles[i] == Role.NORMAL && !isNormalIo(jobs[i], roles[i]);
            for (int v = 0; other && v < widths[i]; v++) {
                placed.get(i).add(fill(dedicated));
            }
        }
    }

    private boolean isNormalIo(int job, Role role) {
        return role == Role.NORMAL && problem.jobs().get(job).io();
    }
}
