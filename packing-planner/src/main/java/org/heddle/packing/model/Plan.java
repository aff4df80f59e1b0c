// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.model;

import java.util.List;

/**
 * When, where and how wide each job runs.
 *
 * @param problem id of the problem
 * @param planner name of the planner
 * @param kind the freedom it uses
 * @param makespan seconds until the last job ends
 * @param lowerBound seconds no plan of this kind can beat
 * @param bound how the lower bound was proven, for people
 * @param phases in order of their start
 * @param reasons one per job; empty until a planner explains itself
 */
public record Plan(
        String problem,
        String planner,
        PlanKind kind,
        double makespan,
        double lowerBound,
        String bound,
        List<Phase> phases,
        List<Explanation> reasons) {
    /** Relative slack up to which a plan counts as proven optimal. */
    public static final double PROVEN = 1e-9;

    public Plan {
        phases = List.copyOf(phases);
        reasons = List.copyOf(reasons);
    }

    /** (makespan - lowerBound) / lowerBound, never negative; 0 means proven optimal. */
    public double gap() {
        double gap = lowerBound > 0 ? (makespan - lowerBound) / lowerBound : 0;
        return gap > PROVEN ? gap : 0;
    }

    /** The same plan with other reasons. */
    public Plan because(List<Explanation> why) {
        return new Plan(problem, planner, kind, makespan, lowerBound, bound, phases, why);
    }

    /** The same plan under another name and bound. */
    public Plan named(String name, double lower, String how) {
        return new Plan(problem, name, kind, makespan, lower, how, phases, reasons);
    }
}
