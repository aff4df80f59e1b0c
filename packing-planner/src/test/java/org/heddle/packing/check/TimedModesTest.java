// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.check;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.heddle.packing.RandomProblems;
import org.heddle.packing.SearchSteps;
import org.heddle.packing.model.Alpha;
import org.heddle.packing.model.Assignment;
import org.heddle.packing.model.Job;
import org.heddle.packing.model.Phase;
import org.heddle.packing.model.Plan;
import org.heddle.packing.model.PlanKind;
import org.heddle.packing.model.PowerModel;
import org.heddle.packing.model.Problem;
import org.heddle.packing.model.Role;
import org.heddle.packing.solve.TimedSolver;
import org.heddle.packing.solve.timed.NonPhasedPlanner;
import org.junit.jupiter.api.Test;

/**
 * The problem for an exact solver must have the checked plan among its schedules: then no answer is above the truth.
 */
class TimedModesTest {
    @Test
    void thePlanIsAScheduleOfTheInstance() {
        for (long seed = 900; seed < 940; seed++) {
            Problem problem = RandomProblems.of(seed, 2 + (int) (seed % 7), 1 + (int) (seed % 5), 1 + (int) (seed % 4));
            if (seed % 3 == 0) {
                problem = RandomProblems.withMeasuredAlpha(problem, seed);
            }
            Plan plan = new NonPhasedPlanner().plan(problem, SearchSteps.limit(100));
            TimedSolver.Instance instance =
                    Objects.requireNonNull(new TimedModes(new BoundTimes(problem), plan).instance());
            assertFits(problem, plan, instance);
        }
    }

    private static void assertFits(Problem problem, Plan plan, TimedSolver.Instance instance) {
        for (int at = 0; at < instance.start().length; at++) {
            double now = instance.start()[at];
            int first = 0;
            int second = 0;
            for (int j = 0; j < instance.start().length; j++) {
                int mode = instance.mode()[j];
                double end = instance.start()[j] + instance.seconds()[j][mode];
                assertThat(end).as("%s job %d", problem.id(), j).isLessThanOrEqualTo(plan.makespan() * (1 + 1e-9));
                // Ends meet starts; the margin keeps a rounded end from running beside its successor.
                if (instance.start()[j] <= now && now < end * (1 - 1e-9)) {
                    first += instance.first()[j][mode];
                    second += instance.second()[j][mode];
                }
            }
            assertThat(Math.max(first, second))
                    .as("%s at %f", problem.id(), now)
                    .isLessThanOrEqualTo(instance.capacity());
        }
    }

    @Test
    void hostsAndExtrasDemandOneOfTheTwoCapacities() {
        Problem problem = new Problem(
                "pair",
                1,
                4,
                2,
                new Alpha(1.5),
                List.of(
                        new Job("host", new PowerModel(100, -1), false, true),
                        new Job("extra", new PowerModel(60, -1), true, false)));
        Plan plan = plan(problem, assignment("host", Role.HOST, 4, 37.5), assignment("extra", Role.EXTRA, 2, 45));
        TimedSolver.Instance instance =
                Objects.requireNonNull(new TimedModes(new BoundTimes(problem), plan).instance());
        int host = instance.mode()[0];
        int extra = instance.mode()[1];
        // Two extras per machine, so that a slot counts 2 and an extra 4 disks of 8.
        assertThat(instance.capacity()).isEqualTo(8);
        assertThat(instance.first()[0][host]).isEqualTo(8);
        assertThat(instance.second()[0][host]).isZero();
        assertThat(instance.seconds()[0][host]).isEqualTo(37.5);
        assertThat(instance.first()[1][extra]).isZero();
        assertThat(instance.second()[1][extra]).isEqualTo(8);
        assertThat(instance.seconds()[1][extra]).isEqualTo(45);
        assertThat(Arrays.stream(instance.seconds()[0]).max()).hasValue(37.5); // slower ways are in no shorter plan
    }

    @Test
    void largeProblemsAndPlansWithoutAJobHaveNoInstance() {
        List<Job> jobs = new ArrayList<>();
        List<Assignment> assignments = new ArrayList<>();
        for (int j = 0; j < 16; j++) {
            jobs.add(new Job("j" + j, new PowerModel(100, -0.5), false, false));
            assignments.add(assignment("j" + j, Role.NORMAL, 1, 100));
        }
        Problem problem = new Problem("large", 100, 1, 1, new Alpha(1), jobs); // 1,600 modes
        Plan plan = plan(problem, assignments.toArray(Assignment[]::new));
        assertThat(new TimedModes(new BoundTimes(problem), plan).instance()).isNull();
        Problem fewer = problem.withJobs(jobs.subList(0, 15));
        assertThat(new TimedModes(new BoundTimes(fewer), plan).instance()).isNotNull();
        Plan without = plan(fewer, assignment("j0", Role.NORMAL, 1, 100));
        assertThat(new TimedModes(new BoundTimes(fewer), without).instance()).isNull();
    }

    private static Assignment assignment(String job, Role role, int vms, double seconds) {
        return new Assignment(job, role, vms, 0, seconds, 1, List.of());
    }

    private static Plan plan(Problem problem, Assignment... assignments) {
        double makespan =
                List.of(assignments).stream().mapToDouble(Assignment::end).max().orElseThrow();
        return new Plan(
                problem.id(),
                "nonphased",
                PlanKind.NONPHASED,
                makespan,
                0,
                "none",
                List.of(new Phase(0, makespan, List.of(assignments))),
                List.of());
    }
}
