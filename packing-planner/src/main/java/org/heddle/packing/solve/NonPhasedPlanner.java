// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.solve;

import java.util.List;
import java.util.Random;
import org.heddle.packing.model.Plan;
import org.heddle.packing.model.Problem;

/**
 * Beyond the paper: each job keeps its VM count, but starts when it can instead of at the border of a
 * phase. Begins with the best phased plan, so it is never worse, and improves it by simulated annealing
 * over order, VM counts and roles.
 */
public final class NonPhasedPlanner implements Planner {
    @Override
    public String name() {
        return "nonphased";
    }

    @Override
    public Plan plan(Problem problem, SolveContext context) {
        JobTable table = new JobTable(problem);
        double bound = new AreaBound(table).seconds();
        Plan phased = new PhasedPlanner().plan(problem, context.within(context.limitSeconds() / 2));
        context.report(phased.makespan(), bound);
        TimedSearch search = new TimedSearch(table, phased, new Random(context.seed()));
        search.run(context, bound);
        Plan timed = search.best();
        double makespan = Math.min(timed.makespan(), phased.makespan());
        Plan best = timed.makespan() <= phased.makespan() ? timed : TimedSearch.asOnePhase(phased);
        return new Plan(
                problem.id(),
                name(),
                best.kind(),
                makespan,
                Math.min(bound, makespan),
                "area bound of all plans with fixed VM counts",
                best.phases(),
                List.of());
    }
}
