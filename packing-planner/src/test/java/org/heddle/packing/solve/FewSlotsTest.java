// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.solve;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.heddle.packing.RandomProblems;
import org.heddle.packing.SearchSteps;
import org.heddle.packing.check.PlanChecker;
import org.heddle.packing.model.Plan;
import org.heddle.packing.model.Problem;
import org.heddle.packing.solve.malleable.MalleablePlanner;
import org.heddle.packing.solve.phased.PairPlanner;
import org.heddle.packing.solve.phased.PhasedPlanner;
import org.heddle.packing.solve.timed.NonPhasedPlanner;
import org.junit.jupiter.api.Test;

/** Up to 40 jobs on 1 to 12 slots: phases with overcommit then may have more jobs than the cluster has slots. */
class FewSlotsTest {
    private static final long STEPS = 30;

    @Test
    void everyPlannerPlansAndKeepsItsOrder() {
        for (int jobs = 1; jobs <= 40; jobs++) {
            for (int slots = 1; slots <= 12; slots++) {
                if ((12 * jobs + slots) % 20 == 0) {
                    plansAll(problem(jobs, slots));
                }
            }
        }
    }

    private static Problem problem(int jobs, int slots) {
        long seed = 100L * jobs + slots;
        int disks = 1 + new Random(seed).nextInt(slots);
        while (slots % disks != 0) {
            disks--;
        }
        Problem problem = RandomProblems.of(seed, jobs, slots / disks, disks);
        return seed % 5 == 0 ? RandomProblems.withMeasuredAlpha(problem, seed) : problem;
    }

    private static void plansAll(Problem problem) {
        double pair = makespan(new PairPlanner(), problem);
        double phased = makespan(new PhasedPlanner(), problem);
        double timed = makespan(new NonPhasedPlanner(), problem);
        makespan(new MalleablePlanner(), problem);
        assertThat(phased).as(problem.id()).isLessThanOrEqualTo(pair * (1 + 1e-9));
        assertThat(timed).as(problem.id()).isLessThanOrEqualTo(pair * (1 + 1e-9));
    }

    private static double makespan(Planner planner, Problem problem) {
        Plan plan = planner.plan(problem, SearchSteps.limit(STEPS));
        assertThat(PlanChecker.check(problem, plan).violations())
                .as("%s, %s", planner.name(), problem.id())
                .isEmpty();
        return plan.makespan();
    }
}
