// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.solve;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.heddle.packing.SearchSteps;
import org.heddle.packing.check.PlanChecker;
import org.heddle.packing.model.Alpha;
import org.heddle.packing.model.Job;
import org.heddle.packing.model.Plan;
import org.heddle.packing.model.PowerModel;
import org.heddle.packing.model.Problem;
import org.heddle.packing.solve.bound.AreaBound;
import org.heddle.packing.solve.malleable.MalleablePlanner;
import org.heddle.packing.solve.phased.PairPlanner;
import org.heddle.packing.solve.phased.PhasedPlanner;
import org.heddle.packing.solve.phased.SequentialPlanner;
import org.heddle.packing.solve.timed.NonPhasedPlanner;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Shapes in which planners have failed or might: each plans, and none breaks the order of its kinds of plans. */
class WorstCasesTest {
    private static final long STEPS = 400;

    private enum Shape {
        IDENTICAL,
        ONE_GIANT,
        MANY_TINY,
        FIFTEEN_ORDERS_OF_MAGNITUDE,
        NO_TIME_AT_ALL,
        NO_PENALTY,
        LARGEST_PENALTY,
        NOTHING_HELPS,
        ALL_CLASSES,
        SUPER_LINEAR
    }

    private static Problem problem(Shape shape, long seed) {
        Random random = new Random(shape.name().hashCode() + seed);
        int slots = seed == 0 ? 1 : 1 + random.nextInt(12);
        int disks = slots % 2 == 0 ? 2 : 1;
        int count = seed < 2 ? 17 + random.nextInt(14) : 1 + random.nextInt(14);
        List<Job> jobs = new ArrayList<>();
        for (int j = 0; j < count; j++) {
            double a = 50 * Math.exp(4 * random.nextDouble());
            double b = -1.3 * random.nextDouble();
            PowerModel model = switch (shape) {
                case IDENTICAL -> new PowerModel(100, -0.7);
                case ONE_GIANT -> new PowerModel(j == 0 ? 1e9 : a, b);
                case MANY_TINY -> new PowerModel(1e-3 * a, b, 1e-4);
                case FIFTEEN_ORDERS_OF_MAGNITUDE -> new PowerModel(Math.pow(10, random.nextInt(16) - 3), 3 * b);
                case NO_TIME_AT_ALL -> new PowerModel(Math.pow(10, random.nextInt(21) - 9), -20 * random.nextDouble());
                case NOTHING_HELPS -> new PowerModel(100, 0);
                case SUPER_LINEAR -> new PowerModel(a, b - 1);
                default -> new PowerModel(a, b);
            };
            boolean all = shape == Shape.ALL_CLASSES;
            jobs.add(new Job("j" + j, model, all || random.nextBoolean(), all || random.nextBoolean()));
        }
        double alpha = shape == Shape.NO_PENALTY ? 1 : shape == Shape.LARGEST_PENALTY ? 1_000 : 1.3;
        return new Problem(shape + " " + seed, slots / disks, disks, 1, new Alpha(alpha), jobs);
    }

    @ParameterizedTest
    @EnumSource
    void everyPlannerPlans(Shape shape) {
        for (long seed = 0; seed < 3; seed++) {
            Problem problem = problem(shape, seed);
            double area = new AreaBound(new JobTable(problem)).seconds();
            double phased = Double.POSITIVE_INFINITY;
            for (Planner planner : List.of(new SequentialPlanner(), new PairPlanner(), new PhasedPlanner())) {
                Plan plan = plan(planner, problem);
                assertThat(plan.lowerBound()).as(problem.id()).isGreaterThanOrEqualTo(area * (1 - 1e-9));
                assertThat(plan.makespan()).as(problem.id()).isLessThanOrEqualTo(phased * (1 + 1e-9));
                phased = plan.makespan();
            }
            Plan rigid = plan(new NonPhasedPlanner(), problem);
            assertThat(rigid.lowerBound()).as(problem.id()).isGreaterThanOrEqualTo(area * (1 - 1e-9));
            assertThat(rigid.makespan()).as(problem.id()).isLessThanOrEqualTo(phased * (1 + 1e-9));
            assertThat(plan(new MalleablePlanner(), problem).makespan())
                    .as(problem.id())
                    .isLessThanOrEqualTo(rigid.makespan() * (1 + 1e-6));
        }
    }

    private static Plan plan(Planner planner, Problem problem) {
        Plan plan = planner.plan(problem, SearchSteps.limit(STEPS));
        String what = planner.name() + " " + problem.id();
        assertThat(PlanChecker.check(problem, plan).violations()).as(what).isEmpty();
        assertThat(plan.lowerBound()).as(what).isPositive().isLessThanOrEqualTo(plan.makespan() * (1 + 1e-9));
        return plan;
    }
}
