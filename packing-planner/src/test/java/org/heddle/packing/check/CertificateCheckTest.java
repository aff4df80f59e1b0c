// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.check;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.heddle.packing.RandomProblems;
import org.heddle.packing.SearchSteps;
import org.heddle.packing.check.BoundResult.Verdict;
import org.heddle.packing.model.Certificate;
import org.heddle.packing.model.Certificate.Kind;
import org.heddle.packing.model.Plan;
import org.heddle.packing.model.PlanKind;
import org.heddle.packing.model.Problem;
import org.heddle.packing.solve.BruteForce;
import org.heddle.packing.solve.Planner;
import org.heddle.packing.solve.malleable.MalleablePlanner;
import org.heddle.packing.solve.phased.PhasedPlanner;
import org.heddle.packing.solve.timed.NonPhasedPlanner;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Certificates of planners are verified, and no numbers prove more than what is true. */
class CertificateCheckTest {
    private static double proven(Problem problem, Certificate certificate, PlanKind kind, double claim) {
        return new CertificateCheck(new BoundTimes(problem))
                .seconds(certificate, kind, claim, () -> false)
                .orElseThrow();
    }

    private static Problem problem(long seed) {
        Random random = new Random(seed);
        Problem problem =
                RandomProblems.of(seed, 17 + random.nextInt(24), 4 + random.nextInt(12), 1 + random.nextInt(4));
        return seed % 5 == 0 ? RandomProblems.withMeasuredAlpha(problem, seed) : problem;
    }

    /** Problems that the checker cannot solve: what it says comes from the area bound or from the certificate. */
    @Tag("long-2")
    @Test
    void boundsOfAllPlannersAreVerifiedWithoutSolvingTheProblem() {
        int verified = 0;
        for (long seed = 600; seed < 612; seed++) {
            Problem problem = problem(seed);
            for (Planner planner : List.of(new PhasedPlanner(), new NonPhasedPlanner(), new MalleablePlanner())) {
                Plan plan = planner.plan(problem, SearchSteps.limit(2_000));
                BoundResult result = BoundCheck.check(problem, plan, null, () -> 0, 1, new Random(1));
                assertThat(result.verdict())
                        .as("%s, seed %d: %s of %s", planner.name(), seed, result, plan.bound())
                        .isEqualTo(Verdict.PROVEN);
                verified += result.reason().startsWith("its certificate") ? 1 : 0;
            }
        }
        assertThat(verified).isGreaterThan(12);
    }

    @Test
    void noNumbersProveMoreThanTheShortestPlan() {
        for (long seed = 700; seed < 760; seed++) {
            Problem problem = RandomProblems.of(seed, 2 + (int) (seed % 5), 1 + (int) (seed % 4), 1 + (int) (seed % 3));
            double phased = BruteForce.makespan(problem) * (1 + 1e-6);
            double timed =
                    new NonPhasedPlanner().plan(problem, SearchSteps.limit(200)).makespan() * (1 + 1e-6);
            double malleable =
                    new MalleablePlanner().plan(problem, SearchSteps.limit(200)).makespan() * (1 + 1e-6);
            Random random = new Random(seed);
            for (int i = 0; i < 30; i++) {
                List<Double> prices = numbers(
                        random, problem.jobs().size(), phased / problem.jobs().size());
                Certificate phases = Certificate.of(Kind.PHASE_PRICES, prices);
                assertThat(proven(problem, phases, PlanKind.PHASED, 1.01 * phased))
                        .isLessThan(phased);
                Certificate mixes =
                        new Certificate(Kind.MIX_PRICES, prices, random.nextDouble() / problem.slots(), 0.5);
                assertThat(proven(problem, mixes, PlanKind.MALLEABLE, malleable))
                        .isLessThan(malleable);
                Certificate searched = Certificate.of(Kind.MIX_PRICES, prices);
                assertThat(proven(problem, searched, PlanKind.MALLEABLE, malleable))
                        .isLessThan(malleable);
                Certificate functions = Certificate.of(Kind.DUAL_FEASIBLE, numbers(random, 17, 1));
                assertThat(proven(problem, functions, PlanKind.NONPHASED, timed))
                        .isZero();
            }
        }
    }

    private static List<Double> numbers(Random random, int count, double most) {
        List<Double> numbers = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            numbers.add(random.nextInt(3) == 0 ? 0 : most * random.nextDouble());
        }
        return numbers;
    }

    @Test
    void numbersThatAreNoCertificateProveNothing() {
        Problem problem = RandomProblems.of(1, 3, 2, 2);
        for (Certificate wrong : List.of(
                Certificate.of(Kind.PHASE_PRICES, List.of(1.0, 2.0)),
                Certificate.of(Kind.PHASE_PRICES, List.of(1.0, -2.0, 1.0)),
                Certificate.of(Kind.PHASE_PRICES, List.of(1.0, Double.NaN, 1.0)),
                Certificate.of(Kind.DUAL_FEASIBLE, List.of(1.0, 1.0, 1.0)),
                Certificate.of(Kind.MIX_PRICES, List.of(1.0, Double.POSITIVE_INFINITY, 1.0)),
                new Certificate(Kind.MIX_PRICES, List.of(1.0, 1.0, 1.0), -1.0, 0.5),
                new Certificate(Kind.MIX_PRICES, List.of(1.0, 1.0, 1.0), 0.1, 1.5))) {
            assertThat(proven(problem, wrong, PlanKind.PHASED, 1)).isZero();
        }
        Certificate ofPhases = Certificate.of(Kind.PHASE_PRICES, List.of(1.0, 1.0, 1.0));
        assertThat(proven(problem, ofPhases, PlanKind.NONPHASED, 1)).isZero();
    }
}
