// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.run;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.heddle.packing.model.Assignment;
import org.heddle.packing.model.Phase;
import org.heddle.packing.model.Plan;
import org.heddle.packing.model.PlanKind;
import org.heddle.packing.model.Role;

/**
 * A plan as weights of a scheduler: between two borders, at which jobs start, end or change their VM counts, a job
 * weighs as many VMs as the plan gives it, and one more for its ApplicationMaster. Weights are no reservations: what a
 * job leaves, others take. A job that is later than planned keeps its last weight.
 */
final class PhaseWeights {
    private static final int MASTER = 1;
    /** Part of a time by which borders that are the same may be apart. */
    private static final double SLACK = 1e-6;

    private final Plan plan;
    /** From the start of the plan to its end, seconds. */
    private final List<Double> borders = new ArrayList<>();
    /** VMs by job and phase. */
    private final Map<String, int[]> vms = new LinkedHashMap<>();

    /** @param plan of any kind */
    PhaseWeights(Plan plan) {
        this.plan = plan;
        List<Assignment> all = plan.phases().stream()
                .flatMap(phase -> phase.assignments().stream())
                .toList();
        TreeSet<Double> times = new TreeSet<>();
        all.forEach(job -> times.addAll(List.of(job.start(), job.end())));
        for (double time : times) {
            if (borders.isEmpty() || time > borders.get(borders.size() - 1) + SLACK * time) {
                borders.add(time);
            }
        }
        for (Assignment job : all) {
            int[] counts = vms.computeIfAbsent(job.job(), any -> new int[phases()]);
            for (int p = 0; p < phases(); p++) {
                double middle = (borders.get(p) + borders.get(p + 1)) / 2;
                if (job.start() < middle && middle < job.end()) {
                    counts[p] = job.vms();
                }
            }
        }
    }

    /** How many phases there are. */
    int phases() {
        return borders.size() - 1;
    }

    private double length(int phase) {
        return borders.get(phase + 1) - borders.get(phase);
    }

    /**
     * Whether a job may be submitted: one phase before its first, so that its master runs at the border; and one more
     * for each time by which the phase has lasted too long, so that no VM is idle behind a late job.
     *
     * @param seconds since the phase began
     */
    boolean admits(String job, int phase, double seconds) {
        return first(job) <= phase + 1L + (long) (seconds / length(phase));
    }

    /**
     * Whether a phase is over: when the jobs have ended that the plan lets end in it, or, if it lets none end, after
     * its time.
     *
     * @param seconds since the phase began
     */
    boolean isOver(int phase, double seconds, Predicate<String> hasEnded) {
        List<String> jobs =
                vms.keySet().stream().filter(job -> counts(job)[phase] > 0).toList();
        List<String> ending = jobs.stream().filter(job -> last(job) == phase).toList();
        if (ending.isEmpty() && seconds >= length(phase)) {
            return true;
        }
        return (ending.isEmpty() ? jobs : ending).stream().allMatch(hasEnded);
    }

    /** The weight of each job in a phase. */
    Map<String, Integer> in(int phase) {
        Map<String, Integer> weights = new LinkedHashMap<>();
        vms.forEach((job, counts) -> weights.put(job, counts[Math.min(phase, last(job))] + MASTER));
        return weights;
    }

    /**
     * The plan as a runner submits it: each job once, with as many VMs as it can get.
     *
     * @param slots of the cluster
     */
    Plan submissions(int slots) {
        List<Assignment> jobs = new ArrayList<>();
        for (String job : vms.keySet()) {
            double start = borders.get(Math.max(0, first(job) - 1));
            double seconds = borders.get(last(job) + 1) - start;
            jobs.add(new Assignment(job, Role.NORMAL, slots, start, seconds, 1, List.of()));
        }
        Phase all = new Phase(0, plan.makespan(), jobs);
        return new Plan(
                plan.problem(),
                plan.planner(),
                PlanKind.NONPHASED,
                plan.makespan(),
                plan.lowerBound(),
                plan.bound(),
                List.of(all),
                List.of());
    }

    private int[] counts(String job) {
        return Objects.requireNonNull(vms.get(job), job);
    }

    private int first(String job) {
        int[] counts = counts(job);
        int first = 0;
        while (counts[first] == 0) {
            first++;
        }
        return first;
    }

    private int last(String job) {
        int[] counts = counts(job);
        int last = counts.length - 1;
        while (counts[last] == 0) {
            last--;
        }
        return last;
    }
}
