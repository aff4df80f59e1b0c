// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.solve.malleable;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.heddle.packing.RandomProblems;
import org.heddle.packing.SearchSteps;
import org.heddle.packing.check.PlanChecker;
import org.heddle.packing.model.Alpha;
import org.heddle.packing.model.Job;
import org.heddle.packing.model.Plan;
import org.heddle.packing.model.PowerModel;
import org.heddle.packing.model.Problem;
import org.heddle.packing.solve.timed.NonPhasedPlanner;
import org.junit.jupiter.api.Test;

/** Equal jobs make the master problem degenerate; the optimum is known from the hull of the speeds. */
class IdenticalJobsTest {
    @Test
    void identicalJobsReachTheHullBound() {
        assertOptimal(11, 18, -0.7, 71.56);
        assertOptimal(13, 20, -0.6, 78.27);
        assertOptimal(25, 40, -0.7, 72.74);
        assertOptimal(36, 18, -0.7, 200);
    }

    private static void assertOptimal(int jobs, int slots, double b, double seconds) {
        List<Job> all = new ArrayList<>();
        for (int j = 0; j < jobs; j++) {
            all.add(new Job("j" + j, new PowerModel(100, b), false, false));
        }
        Plan plan = plan(new Problem("identical", slots, 1, 1, new Alpha(1.3), all));
        assertThat(plan.makespan()).isCloseTo(seconds, within(0.01));
        assertThat(plan.lowerBound()).isCloseTo(plan.makespan(), within(1e-5 * seconds));
    }

    @Test
    void neverWorseThanFixedVmCountsAndNeverBelowTheArea() {
        for (long seed = 0; seed < 6; seed++) {
            Problem problem = withTwins(seed);
            Plan plan = plan(problem);
            Plan rigid = new NonPhasedPlanner().plan(problem, SearchSteps.limit(400));
            assertThat(plan.makespan()).as(problem.id()).isLessThanOrEqualTo(rigid.makespan() * (1 + 1e-6));
            assertThat(plan.lowerBound()).as(problem.id()).isGreaterThanOrEqualTo(area(problem) * (1 - 1e-6));
        }
    }

    /** A random problem in which some jobs have twins, and some jobs are super-linear. */
    private static Problem withTwins(long seed) {
        Random random = new Random(seed);
        Problem problem = RandomProblems.of(seed, 2 + random.nextInt(8), 1 + random.nextInt(9), 1 + random.nextInt(3));
        List<Job> jobs = new ArrayList<>(problem.jobs());
        for (int i = random.nextInt(9); i > 0; i--) {
            Job twin = jobs.get(random.nextInt(problem.jobs().size()));
            jobs.add(new Job("t" + i, twin.model(), twin.cpu(), twin.io()));
        }
        return problem.withJobs(jobs);
    }

    /** VM-seconds of the cheapest runs, as if every VM could be shared, in seconds on all slots. */
    private static double area(Problem problem) {
        double sum = 0;
        for (Job job : problem.jobs()) {
            double least = Double.POSITIVE_INFINITY;
            for (int n = 1; n <= problem.slots(); n++) {
                least = Math.min(least, n * job.model().seconds(n));
            }
            sum += least;
        }
        boolean overcommit = problem.jobs().stream().anyMatch(Job::io)
                && problem.jobs().stream().anyMatch(Job::cpu);
        return overcommit ? 0 : sum / problem.slots();
    }

    private static Plan plan(Problem problem) {
        Plan plan = new MalleablePlanner().plan(problem, SearchSteps.limit(400));
        assertThat(PlanChecker.check(problem, plan).violations())
                .as(problem.id())
                .isEmpty();
        return plan;
    }
}
