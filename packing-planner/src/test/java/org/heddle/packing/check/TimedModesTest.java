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
import org.heddle.packing.solve.timed.NonPhasedPlanner;
import org.junit.jupiter.api.Test;

/** The question to an exact solver must have the checked plan among its schedules: then no answer is above the truth. */
class TimedModesTest {
    @Test
    void thePlanIsAScheduleOfTheQuestion() {
        for (long seed = 900; seed < 940; seed++) {
            Problem problem = RandomProblems.of(seed, 2 + (int) (seed % 7), 1 + (int) (seed % 5), 1 + (int) (seed % 4));
            if (seed % 3 == 0) {
                problem = RandomProblems.withMeasuredAlpha(problem, seed);
            }
            Plan plan = new NonPhasedPlanner().plan(problem, SearchSteps.limit(100));
            TimedProof.Question question =
                    Objects.requireNonNull(new TimedModes(new RunTimes(problem), plan).question());
            assertFits(problem, plan, question);
        }
    }

    private static void assertFits(Problem problem, Plan plan, TimedProof.Question question) {
        for (int at = 0; at < question.start().length; at++) {
            double now = question.start()[at];
            int first = 0;
            int second = 0;
            for (int j = 0; j < question.start().length; j++) {
                int mode = question.mode()[j];
                double end = question.start()[j] + question.seconds()[j][mode];
                assertThat(end).as("%s job %d", problem.id(), j).isLessThanOrEqualTo(plan.makespan() * (1 + 1e-9));
                // Ends meet starts; the margin keeps a rounded end from running beside its successor.
                if (question.start()[j] <= now && now < end * (1 - 1e-9)) {
                    first += question.first()[j][mode];
                    second += question.second()[j][mode];
                }
            }
            assertThat(Math.max(first, second))
                    .as("%s at %f", problem.id(), now)
                    .isLessThanOrEqualTo(question.capacity());
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
        TimedProof.Question question = Objects.requireNonNull(new TimedModes(new RunTimes(problem), plan).question());
        int host = question.mode()[0];
        int extra = question.mode()[1];
        // Two extras per machine, so that a slot counts 2 and an extra 4 disks of 8.
        assertThat(question.capacity()).isEqualTo(8);
        assertThat(question.first()[0][host]).isEqualTo(8);
        assertThat(question.second()[0][host]).isZero();
        assertThat(question.seconds()[0][host]).isEqualTo(37.5);
        assertThat(question.first()[1][extra]).isZero();
        assertThat(question.second()[1][extra]).isEqualTo(8);
        assertThat(question.seconds()[1][extra]).isEqualTo(45);
        assertThat(Arrays.stream(question.seconds()[0]).max()).hasValue(37.5); // slower ways are in no shorter plan
    }

    @Test
    void aProblemThatIsTooLargeAndAPlanWithoutAJobHaveNoQuestion() {
        List<Job> jobs = new ArrayList<>();
        List<Assignment> assignments = new ArrayList<>();
        for (int j = 0; j < 16; j++) {
            jobs.add(new Job("j" + j, new PowerModel(100, -0.5), false, false));
            assignments.add(assignment("j" + j, Role.NORMAL, 1, 100));
        }
        Problem problem = new Problem("large", 100, 1, 1, new Alpha(1), jobs); // 1,600 modes
        Plan plan = plan(problem, assignments.toArray(Assignment[]::new));
        assertThat(new TimedModes(new RunTimes(problem), plan).question()).isNull();
        Problem fewer = problem.withJobs(jobs.subList(0, 15));
        assertThat(new TimedModes(new RunTimes(fewer), plan).question()).isNotNull();
        Plan without = plan(fewer, assignment("j0", Role.NORMAL, 1, 100));
        assertThat(new TimedModes(new RunTimes(fewer), without).question()).isNull();
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
