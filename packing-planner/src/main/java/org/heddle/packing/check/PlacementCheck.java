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

/** Machines and disks of one phase, and the sums that must fit whatever the placement. */
final class PlacementCheck {
    private final Problem problem;
    private final PlanKind kind;
    private final Consumer<Violation> refused;

    PlacementCheck(Problem problem, PlanKind kind, Consumer<Violation> refused) {
        this.problem = problem;
        this.kind = kind;
        this.refused = refused;
    }

    /** One VM with its time and owner. */
    private record Placed(Assignment share, Vm vm) {
        boolean meets(Placed other) {
            double slack = PlanChecker.TOLERANCE * Math.max(Math.abs(share.end()), Math.abs(other.share.end()));
            return share.start() < other.share.end() - slack && other.share.start() < share.end() - slack;
        }
    }

    void check(String where, Phase phase) {
        checkSums(where, phase);
        Map<Integer, List<Placed>> machines = new HashMap<>();
        for (Assignment share : phase.shares()) {
            if (share.placement().size() != share.vms()) {
                refuse(
                        Rule.PLACEMENT_COUNT,
                        where + "." + share.job(),
                        share.placement().size() + " VMs placed, " + share.vms() + " planned");
            }
            for (Vm vm : share.placement()) {
                if (vm.machine() < 0
                        || vm.machine() >= problem.machines()
                        || vm.disk() < 0
                        || vm.disk() >= problem.disks()) {
                    refuse(
                            Rule.PLACE_UNKNOWN,
                            where + "." + share.job(),
                            "machine " + vm.machine() + " disk " + vm.disk() + " does not exist");
                } else {
                    machines.computeIfAbsent(vm.machine(), m -> new ArrayList<>())
                            .add(new Placed(share, vm));
                }
            }
        }
        machines.forEach((machine, placed) -> checkMachine(where + ".machine[" + machine + "]", placed));
    }

    private void checkMachine(String where, List<Placed> placed) {
        placed.sort(Comparator.comparingDouble(p -> p.share().start()));
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
                                && other.share().start() <= one.share().start());
                extras += running && other.share().role() == Role.EXTRA ? 1 : 0;
                hosts += running && other.share().role() == Role.HOST ? 1 : 0;
            }
            if (one.share().role() == Role.EXTRA) {
                checkExtras(where, extras, hosts);
            }
        }
    }

    private void checkPair(String where, Placed one, Placed other, boolean first) {
        Role a = one.share().role();
        Role b = other.share().role();
        if (first
                && a != Role.EXTRA
                && b != Role.EXTRA
                && one.vm().disk() == other.vm().disk()) {
            refuse(
                    Rule.DISK_SHARED,
                    where,
                    "disk " + one.vm().disk() + " carries " + one.share().job() + " and "
                            + other.share().job());
        }
        if (a == Role.EXTRA && b == Role.NORMAL) {
            refuse(
                    Rule.NORMAL_BESIDE_EXTRA,
                    where,
                    "normal " + other.share().job() + " beside extra "
                            + one.share().job());
        }
    }

    /** In a phase r hosts per extra stand on the machine; without phases their disks may be idle, but are kept. */
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

    private void checkSums(String where, Phase phase) {
        for (int a = 0; a < phase.shares().size(); a++) {
            Assignment at = phase.shares().get(a);
            long normal = 0;
            long host = 0;
            long extra = 0;
            for (int i = 0; i < phase.shares().size(); i++) {
                Assignment share = phase.shares().get(i);
                double slack = PlanChecker.TOLERANCE * Math.abs(share.end());
                boolean running = kind != PlanKind.NONPHASED
                        || (share.start() <= at.start() && share.end() > at.start() + slack)
                        || i == a;
                if (running) {
                    switch (share.role()) {
                        case NORMAL -> normal += share.vms();
                        case HOST -> host += share.vms();
                        case EXTRA -> extra += share.vms();
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
