// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.solve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Random;
import org.heddle.packing.RandomProblems;
import org.heddle.packing.SearchSteps;
import org.heddle.packing.check.PlanChecker;
import org.heddle.packing.model.Job;
import org.heddle.packing.model.Plan;
import org.heddle.packing.model.Problem;
import org.heddle.packing.solve.bound.AreaBound;
import org.heddle.packing.solve.malleable.MalleablePlanner;
import org.heddle.packing.solve.phased.ColumnGenerationBound;
import org.heddle.packing.solve.phased.PairPlanner;
import org.heddle.packing.solve.phased.PhaseChoice;
import org.heddle.packing.solve.phased.PhaseSearch;
import org.heddle.packing.solve.phased.PhasedPlanner;
import org.heddle.packing.solve.phased.PhasedPlans;
import org.heddle.packing.solve.phased.SequentialPlanner;
import org.heddle.packing.solve.phased.SubsetPlanner;
import org.heddle.packing.solve.swarm.SwarmPlanner;
import org.heddle.packing.solve.timed.NonPhasedPlanner;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class OptimalityTest {
    private static Problem small(long seed) {
        Random random = new Random(seed);
        Problem problem = RandomProblems.of(seed, 2 + random.nextInt(4), 1 + random.nextInt(4), 1 + random.nextInt(4));
        return seed % 3 == 0 ? RandomProblems.withMeasuredAlpha(problem, seed) : problem;
    }

    @Test
    void thePhasedPlanIsTheBestOfAllPartitionsRolesAndVmCounts() {
        for (long seed = 0; seed < 400; seed++) {
            Problem problem = small(seed);
            Plan plan = new PhasedPlanner().plan(problem, SearchSteps.limit(100_000));
            double optimum = BruteForce.makespan(problem);
            assertThat(plan.makespan()).as("seed %d", seed).isCloseTo(optimum, within(1e-9 * optimum));
            assertThat(plan.gap()).as("seed %d", seed).isZero();
            assertThat(PlanChecker.check(problem, plan).violations())
                    .as("seed %d", seed)
                    .isEmpty();
        }
    }

    @Test
    void thePairPlanIsTheBestOfAllPairings() {
        for (long seed = 0; seed < 300; seed++) {
            Random random = new Random(seed);
            Problem problem =
                    RandomProblems.of(seed, 2 + random.nextInt(8), 1 + random.nextInt(6), 1 + random.nextInt(3));
            Plan plan = new PairPlanner().plan(problem, SearchSteps.limit(100_000));
            double optimum = bestPairing(
                    problem,
                    (1 << problem.jobs().size()) - 1,
                    new double[1 << problem.jobs().size()]);
            assertThat(plan.makespan()).as("seed %d", seed).isCloseTo(optimum, within(1e-9 * optimum));
            assertThat(PlanChecker.check(problem, plan).violations())
                    .as("seed %d", seed)
                    .isEmpty();
        }
    }

    private static double bestPairing(Problem problem, int left, double[] known) {
        if (left == 0) {
            return 0;
        }
        if (known[left] == 0) {
            int i = Integer.numberOfTrailingZeros(left);
            Job one = problem.jobs().get(i);
            double best = one.model().seconds(problem.slots()) + bestPairing(problem, left ^ (1 << i), known);
            for (int j = i + 1; j < problem.jobs().size(); j++) {
                if ((left & (1 << j)) != 0) {
                    double pair = BruteForce.makespan(
                            problem.withJobs(List.of(one, problem.jobs().get(j))));
                    best = Math.min(best, pair + bestPairing(problem, left ^ (1 << i) ^ (1 << j), known));
                }
            }
            known[left] = best;
        }
        return known[left];
    }

    @Test
    void everyPlannerIsAcceptedAndKeepsItsOrder() {
        plannersKeepTheirOrder(1000, 1020);
    }

    @Test
    @Tag("long-1")
    void everyPlannerKeepsItsOrderInMoreProblems() {
        plannersKeepTheirOrder(1020, 1060);
    }

    private static void plannersKeepTheirOrder(long first, long end) {
        for (long seed = first; seed < end; seed++) {
            Random random = new Random(seed);
            Problem problem =
                    RandomProblems.of(seed, 2 + random.nextInt(6), 1 + random.nextInt(8), 1 + random.nextInt(4));
            if (seed % 4 == 0) {
                problem = RandomProblems.withMeasuredAlpha(problem, seed);
            }
            double sequential = makespan(new SequentialPlanner(), problem, seed);
            double pair = makespan(new PairPlanner(), problem, seed);
            double phased = makespan(new PhasedPlanner(), problem, seed);
            double timed = makespan(new NonPhasedPlanner(), problem, seed);
            double malleable = makespan(new MalleablePlanner(), problem, seed);
            double slack = 1e-6 * sequential;
            assertThat(pair).as("seed %d", seed).isLessThanOrEqualTo(sequential + slack);
            assertThat(phased).as("seed %d", seed).isLessThanOrEqualTo(pair + slack);
            assertThat(timed).as("seed %d", seed).isLessThanOrEqualTo(phased + slack);
            assertThat(malleable).as("seed %d", seed).isLessThanOrEqualTo(phased + slack);
        }
    }

    @Test
    void theSwarmIsNeverBetterThanTheOptimum() {
        for (long seed = 2000; seed < 2003; seed++) {
            Problem problem = RandomProblems.of(seed, 5, 6, 2);
            double phased = makespan(new PhasedPlanner(), problem, seed);
            double swarm = makespan(new SwarmPlanner(), problem, seed);
            assertThat(swarm).as("seed %d", seed).isGreaterThanOrEqualTo(phased * (1 - 1e-9));
        }
    }

    private static double makespan(Planner planner, Problem problem, long seed) {
        Plan plan = planner.plan(problem, SearchSteps.limit(2_000));
        assertThat(PlanChecker.check(problem, plan).violations())
                .as("%s, seed %d, %s", planner.name(), seed, plan)
                .isEmpty();
        return plan.makespan();
    }

    @Test
    void largeSearchAgreesWithTheExactOneWhereBothWork() {
        double worst = 0;
        for (long seed = 3000; seed < 3020; seed++) {
            Problem problem = RandomProblems.of(seed, 9, 10, 2);
            JobTable table = new JobTable(problem);
            List<PhaseChoice> exact = new SubsetPlanner(table).solve(SearchSteps.limit(100_000));
            assertThat(exact).isNotNull();
            double optimum = PhasedPlans.makespan(exact);
            SolveContext context = SearchSteps.limit(2_000);
            PhaseSearch search = new PhaseSearch(table, new Random(1));
            search.seed();
            double bound = new ColumnGenerationBound(table, search, context).raise(new AreaBound(table).seconds());
            assertThat(bound).as("seed %d", seed).isLessThanOrEqualTo(optimum * (1 + 1e-6));
            worst = Math.max(worst, optimum / bound - 1);
        }
        assertThat(worst).as("weakest column bound").isLessThan(0.25);
    }
}
