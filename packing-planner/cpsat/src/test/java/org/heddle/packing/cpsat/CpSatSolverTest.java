// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.cpsat;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.heddle.packing.check.BoundCheck;
import org.heddle.packing.check.BoundResult;
import org.heddle.packing.check.PlanChecker;
import org.heddle.packing.model.Alpha;
import org.heddle.packing.model.Job;
import org.heddle.packing.model.Plan;
import org.heddle.packing.model.PowerModel;
import org.heddle.packing.model.Problem;
import org.heddle.packing.solve.SolveContext;
import org.heddle.packing.solve.TimedSolver;
import org.heddle.packing.solve.timed.NonPhasedPlanner;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Through the planner, as users meet it. */
class CpSatSolverTest {
    private static Problem problem(long seed, int jobs) {
        Random random = new Random(seed);
        List<Job> all = new ArrayList<>();
        for (int j = 0; j < jobs; j++) {
            double a = 100 * Math.exp(4 * random.nextDouble());
            PowerModel model = new PowerModel(a, -0.2 - 1.1 * random.nextDouble());
            all.add(new Job("j" + j, model, random.nextBoolean(), random.nextBoolean()));
        }
        return new Problem("seed" + seed, 6, 2, 2, new Alpha(1.3), all);
    }

    @Test
    void isFound() {
        assertThat(TimedSolver.ifPresent()).map(TimedSolver::name).contains("CP-SAT");
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 1, 2, 3})
    void provesSmallPlans(long seed) {
        Problem problem = problem(seed, 5);
        Plan plan = new NonPhasedPlanner().plan(problem, SolveContext.quiet(20));
        assertThat(PlanChecker.check(problem, plan).violations()).isEmpty();
        assertThat(plan.gap()).isLessThan(1e-4);
        BoundResult again = BoundCheck.check(
                problem, plan, TimedSolver.ifPresent().orElseThrow(), System::nanoTime, 20, new Random(1));
        assertThat(again.verdict()).as(again.reason()).isEqualTo(BoundResult.Verdict.PROVEN);
    }

    @Test
    void stopsWhenAsked() {
        Problem problem = problem(9, 30);
        // Annealing has a quarter of the limit, so the solver is at work when this comes.
        long begin = System.nanoTime();
        SolveContext context = new SolveContext(
                System::nanoTime,
                16,
                Plan.PROVEN,
                () -> System.nanoTime() - begin > 4_500_000_000L,
                (seconds, makespan, bound) -> {},
                1);
        Plan plan = new NonPhasedPlanner().plan(problem, context);
        assertThat(System.nanoTime() - begin).isLessThan(14_500_000_000L);
        assertThat(PlanChecker.check(problem, plan).violations()).isEmpty();
    }
}
