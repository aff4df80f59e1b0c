// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.check;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.heddle.packing.model.Assignment;
import org.heddle.packing.model.Phase;
import org.heddle.packing.model.PlanKind;
import org.heddle.packing.model.Problem;
import org.heddle.packing.model.Role;
import org.heddle.packing.model.Vm;

/** Checks the machines and disks of one phase, and the sums of VMs that no placement may exceed. */
final class PlacementCheck {
    private final Problem problem;
    private final PlanKind kind;
    private final Consumer<Violation> refused;

    PlacementCheck(Problem problem, PlanKind kind, Consumer<Violation> refused) {
        this.problem = problem;
        this.kind = kind;
        this.refused = refused;
    }

    /** One VM with its assignment. */
    private record Placed(Assignment assignment, Vm vm) {
        boolean meets(Placed other) {
            double slack =
                    PlanChecker.TOLERANCE * Math.max(Math.abs(assignment.end()), Math.abs(other.assignment.end()));
            return assignment.start() < other.assignment.end() - slack
                    && other.assignment.start() < assignment.end() - slack;
        }
    }

    void check(String where, Phase phase) {
        checkSums(where, phase);
        Map<Integer, List<Placed>> machines = new HashMap<>();
        for (Assignment assignment : phase.assignments()) {
            if (assignment.placement().size() != assignment.vms()) {
                refuse(
                        Rule.PLACEMENT_COUNT,
                        where + "." + assignment.job(),
                        assignment.placement().size() + " VMs placed, " + assignment.vms() + " planned");
            }
            for (Vm vm : assignment.placement()) {
                if (vm.machine() < 0
                        || vm.machine() >= problem.machines()
                        || vm.disk() < 0
                        || vm.disk() >= problem.disks()) {
                    refuse(
                            Rule.PLACE_UNKNOWN,
                            where + "." + assignment.job(),
                            "machine " + vm.machine() + " disk " + vm.disk() + " does not exist");
                } else {
                    machines.computeIfAbsent(vm.machine(), m -> new ArrayList<>())
                            .add(new Placed(assignment, vm));
                }
            }
        }
        machines.forEach((machine, placed) -> checkMachine(where + ".machine[" + machine + "]", placed));
    }

    private void checkMachine(String where, List<Placed> placed) {
        placed.sort(Comparator.comparingDouble(p -> p.assignment().start()));
        for (int i = 0; i < placed.size(); i++) {
            Placed one = placed.get(i);
            int extras = 0;
            int hosts = 0;
            for (int o = 0; o < placed.size(); o++) {
                Placed other = placed.get(o);
                boolean together = kind == PlanKind.NONPHASED ? one.meets(other) : true;
                if (o != i && together) {
                    checkPair(where, one, other, o > i);
                }
                boolean running = kind != PlanKind.NONPHASED
                        || o == i
                        || (one.meets(other)
                                && other.assignment().start()
                                        <= one.assignment().start());
                extras += running && other.assignment().role() == Role.EXTRA ? 1 : 0;
                hosts += running && other.assignment().role() == Role.HOST ? 1 : 0;
            }
            if (one.assignment().role() == Role.EXTRA) {
                checkExtras(where, extras, hosts);
            }
        }
    }

    private void checkPair(String where, Placed one, Placed other, boolean first) {
        Role a = one.assignment().role();
        Role b = other.assignment().role();
        if (first
                && a != Role.EXTRA
                && b != Role.EXTRA
                && one.vm().disk() == other.vm().disk()) {
            refuse(
                    Rule.DISK_SHARED,
                    where,
                    "disk " + one.vm().disk() + " carries " + one.assignment().job() + " and "
                            + other.assignment().job());
        }
        if (a == Role.EXTRA && b == Role.NORMAL) {
            refuse(
                    Rule.NORMAL_BESIDE_EXTRA,
                    where,
                    "normal " + other.assignment().job() + " beside extra "
                            + one.assignment().job());
        }
    }

    /**
     * In a phase there are r hosts per extra on the machine; without phases their disks may be idle, but stay reserved.
     */
    private void checkExtras(String where, int extras, int hosts) {
        int carried = kind == PlanKind.NONPHASED ? problem.disks() / problem.ratio() : hosts / problem.ratio();
        if (extras > carried) {
            refuse(
                    Rule.EXTRAS_PER_MACHINE,
                    where,
                    extras + " extras, " + hosts + " host VMs and k = " + problem.disks() + " carry " + carried
                            + " at r = " + problem.ratio());
        }
    }

    /**
     * Whether another assignment occupies slots while this one runs. At the start of a long run that is what runs then;
     * a run that is shorter than the tolerance only meets what runs before and after it, because starts and ends around
     * it cannot be told apart from its own.
     */
    private boolean runsBeside(Assignment at, Assignment other) {
        if (kind != PlanKind.NONPHASED) {
            return true;
        }
        double shortest = PlanChecker.TOLERANCE * Math.abs(at.end());
        if (at.seconds() <= shortest) {
            return other.start() < at.start() - shortest && other.end() > at.end() + shortest;
        }
        return other.start() <= at.start() && other.end() > at.start() + PlanChecker.TOLERANCE * Math.abs(other.end());
    }

    private void checkSums(String where, Phase phase) {
        for (int a = 0; a < phase.assignments().size(); a++) {
            Assignment at = phase.assignments().get(a);
            long normal = 0;
            long host = 0;
            long extra = 0;
            for (int i = 0; i < phase.assignments().size(); i++) {
                Assignment assignment = phase.assignments().get(i);
                if (i == a || runsBeside(at, assignment)) {
                    switch (assignment.role()) {
                        case NORMAL -> normal += assignment.vms();
                        case HOST -> host += assignment.vms();
                        case EXTRA -> extra += assignment.vms();
                    }
                }
            }
            int perMachine = problem.disks() / problem.ratio();
            long blocked = (extra + perMachine - 1) / perMachine * problem.disks();
            if (normal + Math.max(host, blocked) > problem.slots()) {
                refuse(
                        Rule.CAPACITY,
                        where,
                        normal + " normal, " + host + " host and " + extra + " extra VMs take "
                                + (normal + Math.max(host, blocked)) + " of " + problem.slots() + " slots at "
                                + at.start() + " s");
                return;
            }
        }
    }

    private void refuse(Rule rule, String where, String text) {
        refused.accept(new Violation(rule, where, text));
    }
}
