// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.solve.phased;

import java.util.ArrayList;
import java.util.List;
import org.heddle.packing.model.Assignment;
import org.heddle.packing.model.Phase;
import org.heddle.packing.model.Plan;
import org.heddle.packing.model.PlanKind;
import org.heddle.packing.model.Vm;
import org.heddle.packing.solve.JobTable;

/** Turns phases chosen by a planner into a placed plan. */
public final class PhasedPlans {
    private PhasedPlans() {}

    public static double makespan(List<PhaseChoice> choices) {
        double sum = 0;
        for (PhaseChoice choice : choices) {
            sum += choice.seconds();
        }
        return sum;
    }

    public static Plan assemble(
            JobTable table, String planner, List<PhaseChoice> choices, double lowerBound, String bound) {
        List<Phase> phases = new ArrayList<>();
        double start = 0;
        for (PhaseChoice choice : choices) {
            phases.add(new Phase(start, choice.seconds(), assignments(table, choice, start)));
            start += choice.seconds();
        }
        return new Plan(
                table.problem.id(),
                planner,
                PlanKind.PHASED,
                start,
                Math.min(lowerBound, start),
                bound,
                phases,
                List.of());
    }

    private static List<Assignment> assignments(JobTable table, PhaseChoice choice, double start) {
        List<List<Vm>> placed = PhasePlacement.place(table.problem, choice.jobs(), choice.roles(), choice.widths());
        List<Assignment> assignments = new ArrayList<>();
        for (int i = 0; i < choice.jobs().length; i++) {
            assignments.add(new Assignment(
                    table.problem.jobs().get(choice.jobs()[i]).name(),
                    choice.roles()[i],
                    choice.widths()[i],
                    start,
                    choice.jobSeconds()[i],
                    1,
                    placed.get(i)));
        }
        return assignments;
    }
}
