// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.solve.phased;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.heddle.packing.model.Plan;
import org.heddle.packing.model.Problem;
import org.heddle.packing.solve.JobTable;
import org.heddle.packing.solve.Planner;
import org.heddle.packing.solve.SolveContext;
import org.heddle.packing.solve.bound.AreaBound;

/**
 * Any number of jobs per phase, the paper's section 5.2: proven optimal up to 16 jobs
 * ({@link SubsetPlanner}); beyond that local search for the plan and column generation for the bound,
 * until the gap closes or time is up.
 */
public final class PhasedPlanner implements Planner {
    private static final int COLUMN_GENERATION_CELLS = 60_000_000;

    @Override
    public String name() {
        return "phased";
    }

    @Override
    public Plan plan(Problem problem, SolveContext context) {
        JobTable table = new JobTable(problem);
        double area = new AreaBound(table).seconds();
        if (table.jobs <= SubsetPlanner.MOST_JOBS) {
            PhaseSearch first = new PhaseSearch(table, new Random(context.seed()));
            first.seed();
            context.report(first.makespan(), area);
            List<PhaseChoice> optimal = new SubsetPlanner(table).solve(context);
            if (optimal != null) {
                double makespan = PhasedPlans.makespan(optimal);
                context.report(makespan, makespan);
                return PhasedPlans.assemble(
                        table, name(), optimal, makespan, "optimal phased plan, all partitions considered");
            }
            return PhasedPlans.assemble(table, name(), first.best(), area, "area bound; stopped before the proof");
        }
        return large(table, area, context);
    }

    private Plan large(JobTable table, double area, SolveContext context) {
        PhaseSearch search = new PhaseSearch(table, new Random(context.seed()));
        search.seed();
        context.report(search.makespan(), area);
        climb(table, search, context, 0.2, area);
        double bound = area;
        String how = "area bound of all plans with fixed VM counts";
        if (!context.goodEnough() && (long) table.jobs * table.slots <= COLUMN_GENERATION_CELLS) {
            double better = new ColumnGenerationBound(table, search, context).raise(area);
            if (better > bound) {
                bound = better;
                how = "column generation over all phased plans";
            }
        }
        context.report(search.makespan(), bound);
        climb(table, search, context, 1, bound);
        List<PhaseChoice> phases = new ArrayList<>(search.best());
        phases.sort(Comparator.comparingInt(p -> p.jobs()[0]));
        return PhasedPlans.assemble(table, name(), phases, bound, how);
    }

    /** Local search until this part of the time limit is over, the gap is closed or no step improves the plan. */
    private static void climb(
            JobTable table, PhaseSearch search, SolveContext context, double partOfLimit, double bound) {
        int patience = 200 + 60 * table.jobs;
        int idle = 0;
        double until = partOfLimit * context.limitSeconds();
        while (idle < patience && !context.mustStop() && context.elapsed() < until && !context.goodEnough()) {
            if (search.step(context)) {
                context.report(search.makespan(), bound);
                idle = 0;
            } else {
                idle++;
            }
        }
    }
}
