// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.check;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.heddle.packing.RandomProblems;
import org.heddle.packing.SearchSteps;
import org.heddle.packing.model.Alpha;
import org.heddle.packing.model.Job;
import org.heddle.packing.model.Plan;
import org.heddle.packing.model.PowerModel;
import org.heddle.packing.model.Problem;
import org.heddle.packing.model.Role;
import org.heddle.packing.solve.Planner;
import org.heddle.packing.solve.malleable.MalleablePlanner;
import org.heddle.packing.solve.phased.PairPlanner;
import org.heddle.packing.solve.phased.PhasedPlanner;
import org.heddle.packing.solve.phased.SequentialPlanner;
import org.heddle.packing.solve.timed.NonPhasedPlanner;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Sound plans are accepted; the same plans with one thing wrong are refused, and for the right reason. */
class MutatedPlansTest {
    private static final int PER_KIND = 300;
    private static final List<Mutation.Sample> SAMPLES = new ArrayList<>();

    @BeforeAll
    static void makePlans() {
        List<Planner> planners = List.of(
                new SequentialPlanner(),
                new PairPlanner(),
                new PhasedPlanner(),
                new NonPhasedPlanner(),
                new MalleablePlanner());
        for (long seed = 0; seed < 24; seed++) {
            Random random = new Random(seed);
            Problem problem = seed % 2 == 0
                    ? overcommitted(seed)
                    : RandomProblems.of(seed, 2 + random.nextInt(5), 2 + random.nextInt(4), 2 + random.nextInt(3));
            for (Planner planner : planners) {
                Plan plan = planner.plan(problem, SearchSteps.limit(500));
                assertThat(PlanChecker.check(problem, plan).violations())
                        .as("%s, seed %d", planner.name(), seed)
                        .isEmpty();
                SAMPLES.add(new Mutation.Sample(problem, plan));
            }
        }
        assertThat(SAMPLES.stream().filter(MutatedPlansTest::hasExtras).count()).isGreaterThan(15);
    }

    private static Problem overcommitted(long seed) {
        Random random = new Random(seed);
        List<Job> jobs = Stream.iterate(0, i -> i + 1)
                .limit(4)
                .map(i -> new Job(
                        "j" + i,
                        new PowerModel(300 + 100 * random.nextDouble(), -0.9 + 0.3 * random.nextDouble()),
                        i % 2 == 0,
                        i % 2 == 1))
                .toList();
        int disks = 2 + random.nextInt(3);
        return new Problem(
                "over" + seed, 3 + random.nextInt(4), disks, 1 + random.nextInt(disks), new Alpha(1.05), jobs);
    }

    private static boolean hasExtras(Mutation.Sample sample) {
        return sample.plan().phases().stream()
                .flatMap(p -> p.assignments().stream())
                .anyMatch(s -> s.role() == Role.EXTRA);
    }

    @ParameterizedTest
    @EnumSource(Mutation.class)
    void mutantsAreRefusedForTheRightReason(Mutation mutation) {
        Random random = new Random(mutation.name().hashCode());
        int made = 0;
        for (int attempt = 0; made < PER_KIND && attempt < 400 * PER_KIND; attempt++) {
            Mutation.Sample sample = SAMPLES.get(random.nextInt(SAMPLES.size()));
            Plan mutant = mutation.apply(sample, random);
            if (mutant != null) {
                made++;
                assertThat(PlanChecker.check(sample.problem(), mutant).violations())
                        .as("%s of %s", mutation, mutant)
                        .extracting(Violation::rule)
                        .containsAnyElementsOf(mutation.rules());
            }
        }
        assertThat(made).isEqualTo(PER_KIND);
    }

    @Test
    void falseClaimsOfQualityAreRefused() {
        for (Mutation.Sample sample : SAMPLES) {
            double gap = sample.plan().gap();
            assertThat(rules(sample, gap, gap == 0)).isEmpty();
            assertThat(rules(sample, gap + 0.01, gap == 0)).containsExactly(Rule.GAP);
            assertThat(rules(sample, Double.NaN, gap != 0)).containsExactly(Rule.OPTIMAL);
        }
    }

    private static List<Rule> rules(Mutation.Sample sample, double gap, boolean optimal) {
        return PlanChecker.check(sample.problem(), sample.plan(), gap, optimal).violations().stream()
                .map(Violation::rule)
                .toList();
    }
}
