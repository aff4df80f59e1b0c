// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.solve.timed;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.heddle.packing.model.Certificate;
import org.heddle.packing.model.Plan;
import org.heddle.packing.model.Problem;
import org.heddle.packing.solve.JobTable;
import org.heddle.packing.solve.Planner;
import org.heddle.packing.solve.SideSearch;
import org.heddle.packing.solve.SolveContext;
import org.heddle.packing.solve.TimedSolver;
import org.heddle.packing.solve.bound.AreaBound;
import org.heddle.packing.solve.bound.DualFeasibleBound;
import org.heddle.packing.solve.phased.PhasedPlanner;
import org.jspecify.annotations.Nullable;

/**
 * Beyond the paper: each job keeps its VM count, but starts as soon as its VMs are free instead of at the border of a
 * phase. Begins with the best phased plan, so it is never worse, and improves it by simulated annealing
 * over order, VM counts and roles, and by a {@link TimedSolver} if there is one.
 */
public final class NonPhasedPlanner implements Planner {
    private static final String NAME = "nonphased";

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Plan plan(Problem problem, SolveContext context) {
        return plan(new JobTable(problem), context);
    }

    /** The best plan of the jobs in the table. */
    public Plan plan(JobTable table, SolveContext context) {
        if (table.jobs <= PhasedPlanner.FIRST_EXACT) {
            return search(table, context);
        }
        // The phased plan that the search begins with has had half of the time; another one gets the whole time
        // meanwhile.
        try (SideSearch longer = new SideSearch("phased", beside -> new PhasedPlanner().plan(table, beside), context)) {
            Plan plan = search(table, context);
            Plan phased = longer.plan();
            if (phased.makespan() < plan.makespan()) {
                return of(TimedSearch.asTimed(table, phased), plan.lowerBound(), plan.bound(), plan.certificate());
            }
            return plan;
        }
    }

    private static Plan search(JobTable table, SolveContext context) {
        AreaBound areaBound = new AreaBound(table);
        double area = areaBound.seconds();
        context.report(Double.POSITIVE_INFINITY, area);
        Plan phased = new PhasedPlanner().plan(table, context.within(context.limitSeconds() / 2));
        context.report(phased.makespan(), area);
        DualFeasibleBound functions = new DualFeasibleBound(table);
        double bound = functions.raise(area, phased.makespan(), context);
        Certificate certificate = certificate(functions.weights());
        context.report(phased.makespan(), bound);
        TimedSearch search = new TimedSearch(table, phased, new Random(context.seed()));
        search.startFromLists(new ListStarts(table, areaBound, area), context, bound);
        Optional<TimedSolver> solver = TimedSolver.ifPresent();
        // Annealing finds most improvements early; the proofs of the solver take long.
        search.run(solver.isPresent() ? context.within(context.limitSeconds() / 4) : context, bound);
        context.report(search.best().makespan(), bound);
        String how = (bound > area ? "dual feasible functions," : "area bound of") + " all plans with fixed VM counts";
        if (solver.isPresent() && !context.goodEnough() && !context.mustStop()) {
            double better = new ExactTimedSearch(table, solver.get()).improve(search, bound, context);
            if (better > bound) {
                bound = better;
                how = solver.get().name() + ", all plans with fixed VM counts";
            }
            context.report(search.best().makespan(), bound);
        }
        Plan timed = search.best();
        Plan best = timed.makespan() <= phased.makespan() ? timed : TimedSearch.asTimed(table, phased);
        return of(best, bound, how, certificate);
    }

    private static @Nullable Certificate certificate(double @Nullable [] weights) {
        if (weights == null) {
            return null;
        }
        return Certificate.of(
                Certificate.Kind.DUAL_FEASIBLE, Arrays.stream(weights).boxed().toList());
    }

    private static Plan of(Plan best, double bound, String how, @Nullable Certificate certificate) {
        return new Plan(
                best.problem(),
                NAME,
                best.kind(),
                best.makespan(),
                Math.min(bound, best.makespan()),
                how,
                best.phases(),
                List.of(),
                certificate);
    }
}
