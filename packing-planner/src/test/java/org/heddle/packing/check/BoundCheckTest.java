// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.check;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import org.heddle.packing.RandomProblems;
import org.heddle.packing.SearchSteps;
import org.heddle.packing.check.BoundResult.Verdict;
import org.heddle.packing.model.Plan;
import org.heddle.packing.model.PlanKind;
import org.heddle.packing.model.Problem;
import org.heddle.packing.solve.BruteForce;
import org.heddle.packing.solve.Planner;
import org.heddle.packing.solve.malleable.MalleablePlanner;
import org.heddle.packing.solve.phased.PairPlanner;
import org.heddle.packing.solve.phased.PhasedPlanner;
import org.heddle.packing.solve.phased.SequentialPlanner;
import org.heddle.packing.solve.timed.NonPhasedPlanner;
import org.junit.jupiter.api.Test;

class BoundCheckTest {
    private static BoundResult check(Problem problem, Plan plan, double claimed) {
        AtomicLong clock = new AtomicLong();
        Plan claiming = plan.named(plan.planner(), claimed, "claimed by the test");
        return BoundCheck.check(problem, claiming, null, () -> clock.getAndAdd(10_000_000), 20, new Random(1));
    }

    private static Problem problem(long seed, int mostJobs) {
        Random random = new Random(seed);
        Problem problem =
                RandomProblems.of(seed, 2 + random.nextInt(mostJobs - 1), 1 + random.nextInt(4), 1 + random.nextInt(4));
        return seed % 4 == 0 ? RandomProblems.withMeasuredAlpha(problem, seed) : problem;
    }

    @Test
    void theBoundOfAPhasedPlanIsProvenUpToTheOptimumAndRefutedAbove() {
        for (long seed = 0; seed < 60; seed++) {
            Problem problem = problem(seed, 5);
            double optimum = BruteForce.makespan(problem);
            Plan plan = new SequentialPlanner().plan(problem, SearchSteps.limit(100));
            assertThat(check(problem, plan, optimum).verdict())
                    .as("seed %d", seed)
                    .isEqualTo(Verdict.PROVEN);
            assertThat(check(problem, plan, optimum * (1 + 1e-5)).verdict())
                    .as("seed %d", seed)
                    .isEqualTo(Verdict.REFUTED);
        }
    }

    @Test
    void noPlannersBoundIsRefuted() {
        int proven = 0;
        for (long seed = 200; seed < 216; seed++) {
            Problem problem = problem(seed, 7);
            for (Planner planner :
                    List.of(new PairPlanner(), new PhasedPlanner(), new NonPhasedPlanner(), new MalleablePlanner())) {
                Plan plan = planner.plan(problem, SearchSteps.limit(500));
                BoundResult result = check(problem, plan, plan.lowerBound());
                assertThat(result.verdict())
                        .as("%s, seed %d: %s", planner.name(), seed, result)
                        .isNotEqualTo(Verdict.REFUTED);
                proven += result.verdict() == Verdict.PROVEN ? 1 : 0;
            }
        }
        assertThat(proven).isGreaterThan(40);
    }

    /** A plan of 12 jobs one by one is far from optimal; its file says lowerBound = makespan and optimal. */
    @Test
    void aPlanThatIsNotOptimalCannotClaimToBe() {
        List<Problem> problems = new ArrayList<>();
        for (long seed = 300; seed < 302; seed++) {
            problems.add(RandomProblems.of(seed, 12, 6, 2));
            problems.add(RandomProblems.of(seed, 30, 10, 2));
        }
        for (Problem problem : problems) {
            Plan one = new SequentialPlanner().plan(problem, SearchSteps.limit(100));
            for (PlanKind kind : PlanKind.values()) {
                Plan plan = new Plan(
                        problem.id(),
                        "sequential",
                        kind,
                        one.makespan(),
                        one.makespan(),
                        "claimed by the test",
                        one.phases(),
                        List.of());
                BoundResult result = check(problem, plan, one.makespan());
                assertThat(result.verdict()).as("%s %s", problem.id(), kind).isEqualTo(Verdict.REFUTED);
                assertThat(result.reason()).contains("plan of").contains("exists");
            }
        }
    }

    @Test
    void aMalleableBoundAboveTheShortestMalleablePlanIsRefuted() {
        int refuted = 0;
        for (long seed = 400; seed < 406; seed++) {
            Problem problem = RandomProblems.of(seed, 4, 4, 2);
            Plan plan = new MalleablePlanner().plan(problem, SearchSteps.limit(2_000));
            BoundResult above = check(problem, plan, plan.makespan() * (1 + 1e-5));
            assertThat(above.verdict()).as("seed %d: %s", seed, above).isEqualTo(Verdict.REFUTED);
            refuted += above.reason().startsWith("a malleable plan") ? 1 : 0;
        }
        assertThat(refuted).isPositive();
    }

    @Test
    void aBoundThatTakesTooLongIsNotConfirmed() {
        Problem problem = RandomProblems.of(500, 18, 6, 2);
        Plan plan = new PhasedPlanner().plan(problem, SearchSteps.limit(4_000)).certified(null);
        BoundResult result = check(problem, plan, plan.makespan());
        assertThat(result.verdict()).as(result.reason()).isEqualTo(Verdict.NOT_CONFIRMED);
        assertThat(result.reason()).isEqualTo("not confirmed within 20 s");
    }

    @Test
    void aBoundWithoutProofOfALargeProblemIsRefused() {
        int refused = 0;
        for (long seed = 501; seed < 503; seed++) {
            refused += refusedWithoutProof(RandomProblems.of(seed, 26, 9, 2));
        }
        assertThat(refused).isPositive(); // the others are refuted by a shorter plan, which is more
    }

    private static int refusedWithoutProof(Problem problem) {
        int refused = 0;
        for (Planner planner : List.of(new NonPhasedPlanner(), new MalleablePlanner(), new PhasedPlanner())) {
            Plan plan = planner.plan(problem, SearchSteps.limit(2_000));
            double higher = plan.lowerBound() + 0.999 * (plan.makespan() - plan.lowerBound());
            for (Plan claiming : List.of(plan, plan.certified(null))) {
                BoundResult result = check(problem, claiming, higher);
                assertThat(result.verdict())
                        .as("%s: %s", planner.name(), result)
                        .isIn(Verdict.NO_CERTIFICATE, Verdict.REFUTED);
                refused += result.verdict() == Verdict.NO_CERTIFICATE ? 1 : 0;
            }
        }
        return refused;
    }
}
