// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.solve.phased;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.heddle.packing.model.Certificate;
import org.heddle.packing.model.Plan;
import org.heddle.packing.model.Problem;
import org.heddle.packing.solve.JobTable;
import org.heddle.packing.solve.Planner;
import org.heddle.packing.solve.SolveContext;
import org.heddle.packing.solve.bound.AreaBound;
import org.jspecify.annotations.Nullable;

/**
 * Any number of jobs per phase, the paper's section 5.2. An exact search ({@link SubsetPlanner}) proves the plan of few
 * jobs. For more jobs, local search ({@link PhaseSearch}) finds the plan and column generation the bound, until the gap
 * is closed or the time limit is reached.
 */
public final class PhasedPlanner implements Planner {
    private static final String NAME = "phased";
    /** Up to this many jobs the exact search comes first, because it mostly ends within seconds. */
    public static final int FIRST_EXACT = 16;

    /** The linear program of the column generation holds a matrix of this many rows and columns. */
    private static final int COLUMN_JOBS = 3_000;

    private static final long COLUMN_CELLS = 60_000_000;

    /** Part of the time left that an exact search gets. */
    private static final double EXACT_PART = 0.7;

    /** Which search runs when: in this order, until one has proven its plan. */
    private static final List<Step> STEPS = List.of(
            new Step(run -> run.table.jobs <= FIRST_EXACT, Run::tryAllPartitions),
            new Step(run -> true, run -> run.climbUntil(0.1)),
            new Step(run -> run.table.jobs > FIRST_EXACT && run.mayTryAllPartitions(), Run::tryAllPartitions),
            new Step(run -> run.mayGenerateColumns(), Run::generateColumns),
            new Step(run -> true, run -> run.climbUntil(1)));

    /** A search, and the runs for which it is worth its time. */
    private record Step(Predicate<Run> when, Consumer<Run> search) {}

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
        Run run = new Run(table, context);
        try {
            for (Step step : STEPS) {
                if (step.when().test(run)) {
                    step.search().accept(run);
                }
                if (run.optimal != null) {
                    return run.plan(run.optimal);
                }
            }
        } catch (OutOfMemoryError e) {
            run.search.forget(); // the search ends, and its best plan stays
        }
        List<PhaseChoice> phases = new ArrayList<>(run.search.best());
        phases.sort(Comparator.comparingInt(p -> p.jobs()[0]));
        return run.plan(phases);
    }

    /** The searches for one plan, and what they have found so far. */
    private static final class Run {
        private final JobTable table;
        private final SolveContext context;
        private final PhaseSearch search;
        private double bound;
        private String proof = "area bound of all plans with fixed VM counts";
        private @Nullable Certificate certificate;
        private @Nullable List<PhaseChoice> optimal;

        Run(JobTable table, SolveContext context) {
            this.table = table;
            this.context = context;
            bound = new AreaBound(table).seconds();
            search = new PhaseSearch(table, new Random(context.seed()));
            search.seed();
            context.report(search.makespan(), bound);
        }

        Plan plan(List<PhaseChoice> phases) {
            return PhasedPlans.assemble(table, NAME, phases, bound, proof).certified(certificate);
        }

        private double secondsForExact() {
            return EXACT_PART * (context.limitSeconds() - context.elapsed());
        }

        boolean mayTryAllPartitions() {
            return table.jobs <= SubsetPlanner.MOST_JOBS
                    && SubsetPlanner.roughSeconds(table.jobs) <= secondsForExact()
                    && !context.goodEnough()
                    && !context.mustStop();
        }

        /** Finds the shortest plan if the time suffices. */
        void tryAllPartitions() {
            optimal = new SubsetPlanner(table).solve(context.within(secondsForExact()));
            if (optimal != null) {
                bound = PhasedPlans.makespan(optimal);
                proof = "optimal phased plan, all partitions considered";
                context.report(bound, bound);
            }
        }

        /** Local search until this part of the time limit is over or the gap is closed. */
        void climbUntil(double part) {
            double until = part * context.limitSeconds();
            while (!context.mustStop() && context.elapsed() < until && !context.goodEnough()) {
                if (search.step(context)) {
                    context.report(search.makespan(), bound);
                }
            }
        }

        boolean mayGenerateColumns() {
            boolean small = table.jobs <= COLUMN_JOBS && (long) table.jobs * table.slots <= COLUMN_CELLS;
            return small && !context.goodEnough();
        }

        /** Raises the lower bound, and ends by itself before the time limit. */
        void generateColumns() {
            ColumnGenerationBound columns = new ColumnGenerationBound(table, search, context);
            double better = columns.raise(bound);
            double[] prices = columns.prices();
            if (prices != null) {
                bound = better;
                proof = "column generation over all phased plans";
                certificate = Certificate.of(
                        Certificate.Kind.PHASE_PRICES,
                        Arrays.stream(prices).boxed().toList());
            }
            context.report(search.makespan(), bound);
        }
    }
}
