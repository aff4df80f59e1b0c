// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.solve.phased;

import java.util.ArrayList;
import java.util.List;
import org.heddle.packing.model.Plan;
import org.heddle.packing.model.Problem;
import org.heddle.packing.solve.JobTable;
import org.heddle.packing.solve.Planner;
import org.heddle.packing.solve.SolveContext;
import org.heddle.packing.solve.bound.AreaBound;

/** One job after the other, each on all slots: the usual schedule, and the reference for savings. */
public final class SequentialPlanner implements Planner {
    @Override
    public String name() {
        return "sequential";
    }

    @Override
    public Plan plan(Problem problem, SolveContext context) {
        JobTable table = new JobTable(problem);
        List<PhaseChoice> choices = new ArrayList<>();
        for (int j = 0; j < table.jobs; j++) {
            choices.add(PhaseChoice.alone(table, j));
        }
        Plan plan = PhasedPlans.assemble(
                table, name(), choices, new AreaBound(table).seconds(), "area bound of all plans with fixed VM counts");
        context.report(plan.makespan(), plan.lowerBound());
        return plan;
    }
}
