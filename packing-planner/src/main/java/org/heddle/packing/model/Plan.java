// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.model;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A plan: when each job runs, on how many VMs and on which disks.
 *
 * @param problem id of the problem
 * @param planner name of the planner
 * @param kind what the plan may change for each job
 * @param makespan seconds until the last job ends
 * @param lowerBound seconds; no plan of this kind is shorter
 * @param bound a text that says how the lower bound was proven
 * @param phases in order of their start
 * @param explanations one per job; empty until they are computed
 * @param certificate from which the lower bound can be verified; null for an area bound, and for a bound of an
 *     exhaustive search
 */
public record Plan(
        String problem,
        String planner,
        PlanKind kind,
        double makespan,
        double lowerBound,
        String bound,
        List<Phase> phases,
        List<Explanation> explanations,
        @Nullable Certificate certificate) {
    /** Relative slack up to which a plan counts as proven optimal. */
    public static final double PROVEN = 1e-9;

    public Plan {
        phases = List.copyOf(phases);
        explanations = List.copyOf(explanations);
    }

    /** A plan without a certificate. */
    public Plan(
            String problem,
            String planner,
            PlanKind kind,
            double makespan,
            double lowerBound,
            String bound,
            List<Phase> phases,
            List<Explanation> explanations) {
        this(problem, planner, kind, makespan, lowerBound, bound, phases, explanations, null);
    }

    /** (makespan - lowerBound) / lowerBound, never negative; 0 means proven optimal. */
    public double gap() {
        double gap = lowerBound > 0 ? (makespan - lowerBound) / lowerBound : 0;
        return gap > PROVEN ? gap : 0;
    }

    /** The same plan with these explanations. */
    public Plan withExplanations(List<Explanation> why) {
        return new Plan(problem, planner, kind, makespan, lowerBound, bound, phases, why, certificate);
    }

    /** The same plan with this certificate of its lower bound. */
    public Plan certified(@Nullable Certificate proof) {
        return new Plan(problem, planner, kind, makespan, lowerBound, bound, phases, explanations, proof);
    }

    /** The same plan under another name and bound. */
    public Plan named(String name, double lower, String how) {
        return new Plan(problem, name, kind, makespan, lower, how, phases, explanations, certificate);
    }
}
