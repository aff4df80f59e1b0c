// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.solve.phased;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.heddle.packing.model.Certificate;
import org.heddle.packing.model.Plan;
import org.heddle.packing.model.Problem;
import org.heddle.packing.solve.JobTable;
import org.heddle.packing.solve.Planner;
import org.heddle.packing.solve.SolveContext;
import org.heddle.packing.solve.bound.AreaBound;
import org.jspecify.annotations.Nullable;

/**
 * Any number of jobs per phase, the paper's section 5.2. Up to 16 jobs the plan is proven optimal ({@link SubsetPlanner}),
 * and up to 22 jobs if the time limit is long enough. For more jobs, local search finds the plan and column generation the
 * bound, until the gap is closed or the time limit is reached.
 */
public final class PhasedPlanner implements Planner {
    /** Its linear program holds a matrix of this many rows and columns. */
    private static final int COLUMN_GENERATION_JOBS = 3_000;

    private static final int COLUMN_GENERATION_CELLS = 60_000_000;
    /** Up to this many jobs the exact search comes first, because it mostly ends within seconds. */
    public static final int FIRST_EXACT = 16;
    /** Part of the remaining time that the exact search gets. */
    private static final double EXACT_PART = 0.7;

    private static final double FIRST_CLIMB = 0.1;

    @Override
    public String name() {
        return "phased";
    }

    @Override
    public Plan plan(Problem problem, SolveContext context) {
        return plan(new JobTable(problem), context);
    }

    /** The best plan of the jobs in the table. */
    public Plan plan(JobTable table, SolveContext context) {
        double area = new AreaBound(table).seconds();
        PhaseSearch search = new PhaseSearch(table, new Random(context.seed()));
        search.seed();
        context.report(search.makespan(), area);
        if (table.jobs <= FIRST_EXACT) {
            Plan optimal = exact(table, context.within(EXACT_PART * context.limitSeconds()));
            if (optimal != null) {
                context.report(optimal.makespan(), optimal.makespan());
                return optimal;
            }
        }
        return large(table, search, area, context);
    }

    private @Nullable Plan exact(JobTable table, SolveContext context) {
        List<PhaseChoice> optimal = new SubsetPlanner(table).solve(context);
        return optimal == null
                ? null
                : PhasedPlans.assemble(
                        table,
                        name(),
                        optimal,
                        PhasedPlans.makespan(optimal),
                        "optimal phased plan, all partitions considered");
    }

    private Plan large(JobTable table, PhaseSearch search, double area, SolveContext context) {
        LowerBound bound = new LowerBound(area, "area bound of all plans with fixed VM counts", null);
        try {
            climb(search, context, FIRST_CLIMB, area);
            Plan optimal = exactIfTimeAllows(table, context);
            if (optimal != null) {
                return optimal;
            }
            bound = raised(bound, table, search, context);
            context.report(search.makespan(), bound.seconds());
            climb(search, context, 1, bound.seconds());
        } catch (OutOfMemoryError e) {
            search.forget(); // the search ends, and its best plan stays
        }
        List<PhaseChoice> phases = new ArrayList<>(search.best());
        phases.sort(Comparator.comparingInt(p -> p.jobs()[0]));
        return PhasedPlans.assemble(table, name(), phases, bound.seconds(), bound.proof())
                .certified(bound.certificate());
    }

    private record LowerBound(
            double seconds, String proof, @Nullable Certificate certificate) {}

    /** The optimal plan of 17 to 22 jobs; null for more jobs, or if the time limit is too short to find it. */
    private @Nullable Plan exactIfTimeAllows(JobTable table, SolveContext context) {
        double left = EXACT_PART * (context.limitSeconds() - context.elapsed());
        boolean mayProve = table.jobs > FIRST_EXACT
                && table.jobs <= SubsetPlanner.MOST_JOBS
                && SubsetPlanner.roughSeconds(table.jobs) <= left;
        if (!mayProve || context.goodEnough() || context.mustStop()) {
            return null;
        }
        Plan optimal = exact(table, context.within(left));
        if (optimal != null) {
            context.report(optimal.makespan(), optimal.makespan());
        }
        return optimal;
    }

    private static LowerBound raised(LowerBound area, JobTable table, PhaseSearch search, SolveContext context) {
        boolean small =
                table.jobs <= COLUMN_GENERATION_JOBS && (long) table.jobs * table.slots <= COLUMN_GENERATION_CELLS;
        if (!small || context.goodEnough()) {
            return area;
        }
        ColumnGenerationBound columns = new ColumnGenerationBound(table, search, context);
        double better = columns.raise(area.seconds());
        double[] prices = columns.prices();
        return prices == null
                ? area
                : new LowerBound(
                        better,
                        "column generation over all phased plans",
                        Certificate.of(
                                Certificate.Kind.PHASE_PRICES,
                                Arrays.stream(prices).boxed().toList()));
    }

    /** Local search until this part of the time limit is over or the gap is closed. */
    private static void climb(PhaseSearch search, SolveContext context, double partOfLimit, double bound) {
        double until = partOfLimit * context.limitSeconds();
        while (!context.mustStop() && context.elapsed() < until && !context.goodEnough()) {
            if (search.step(context)) {
                context.report(search.makespan(), bound);
            }
        }
    }
}
