// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.solve;

import static org.assertj.core.api.Assertions.assertThat;

import org.heddle.packing.RandomProblems;
import org.heddle.packing.SearchSteps;
import org.heddle.packing.check.PlanChecker;
import org.heddle.packing.model.Plan;
import org.heddle.packing.model.PlanKind;
import org.heddle.packing.model.Problem;
import org.heddle.packing.solve.malleable.MalleablePlanner;
import org.heddle.packing.solve.phased.PairPlanner;
import org.heddle.packing.solve.phased.SequentialPlanner;
import org.heddle.packing.solve.timed.NonPhasedPlanner;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** More jobs than slots, and more than the searches that try all combinations can hold. */
class ManyJobsTest {
    @ParameterizedTest
    @CsvSource({"300, 30, 1, 0.05", "300, 15, 2, 0.1", "250, 10, 3, 0.08", "900, 40, 1, 0.05"})
    void jobsWithFixedVmCountsFillTheCluster(int jobs, int machines, int disks, double gap) {
        Problem problem = RandomProblems.large(jobs, jobs, machines, disks, true);
        Plan plan = planned(new NonPhasedPlanner(), problem, 60);
        assertThat(plan.gap()).as(problem.id()).isLessThan(gap);
    }

    @ParameterizedTest
    @CsvSource("1510, 10, 1")
    void malleableIsNoWorseThanFixedVmCountsWithMoreJobsThanItsProgramHolds(int jobs, int machines, int disks) {
        Problem problem = RandomProblems.large(jobs, jobs, machines, disks, true);
        Plan plan = planned(new MalleablePlanner(), problem, 2);
        assertThat(plan.planner()).isEqualTo("malleable");
        assertThat(plan.kind()).isEqualTo(PlanKind.NONPHASED);
        assertThat(plan.makespan())
                .isLessThanOrEqualTo(planned(new NonPhasedPlanner(), problem, 2).makespan() * (1 + 1e-9));
    }

    @ParameterizedTest
    @CsvSource({"601, 4, 2", "700, 1, 1"})
    void pairsOfManyJobsAreSearchedInGroupsAndEndAtTheLimit(int jobs, int machines, int disks) {
        Problem problem = RandomProblems.of(jobs, jobs, machines, disks);
        Plan few = planned(new PairPlanner(), problem, 3);
        Plan more = planned(new PairPlanner(), problem, 12);
        assertThat(few.makespan())
                .isLessThanOrEqualTo(
                        planned(new SequentialPlanner(), problem, 3).makespan() * (1 + 1e-9));
        assertThat(more.makespan()).isLessThanOrEqualTo(few.makespan());
    }

    private static Plan planned(Planner planner, Problem problem, long steps) {
        Plan plan = planner.plan(problem, SearchSteps.limit(steps));
        assertThat(PlanChecker.check(problem, plan).violations())
                .as(planner.name() + " " + problem.id())
                .isEmpty();
        return plan;
    }
}
