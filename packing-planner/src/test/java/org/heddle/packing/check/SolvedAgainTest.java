// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.check;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.BooleanSupplier;
import org.heddle.packing.check.BoundResult.Verdict;
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
import org.junit.jupiter.api.Test;

/** A solver that notes its instance, asked by the checker about three jobs of 100 s on two slots. */
class SolvedAgainTest {
    private final List<TimedSolver.Instance> asked = new ArrayList<>();

    private BoundResult check(double claimed, double proven) {
        TimedSolver solver = new TimedSolver() {
            @Override
            public String name() {
                return "noting solver";
            }

            @Override
            public Answer solve(Instance instance, double limitSeconds, BooleanSupplier stop) {
                asked.add(instance);
                return new Answer(new int[0], new double[0], proven);
            }
        };
        List<Job> jobs = new ArrayList<>();
        List<Assignment> assignments = new ArrayList<>();
        for (int j = 0; j < 3; j++) {
            jobs.add(new Job("j" + j, new PowerModel(100, 0), false, false));
            assignments.add(new Assignment("j" + j, Role.NORMAL, 1, j == 2 ? 100 : 0, 100, 1, List.of()));
        }
        Plan plan = new Plan(
                "three",
                "nonphased",
                PlanKind.NONPHASED,
                200,
                claimed,
                "claimed by the test",
                List.of(new Phase(0, 200, assignments)),
                List.of());
        Problem problem = new Problem("three", 2, 1, 1, new Alpha(1), jobs);
        return BoundCheck.check(problem, plan, solver, () -> 0, 1, new Random(1));
    }

    @Test
    void whatTheSolverProvesIsProven() {
        BoundResult result = check(200, 200);
        assertThat(result.verdict()).isEqualTo(Verdict.PROVEN);
        assertThat(result.reason()).isEqualTo("noting solver, which solved it again, gives 200.0000 s");
        TimedSolver.Instance instance = asked.get(0);
        assertThat(instance.capacity()).isEqualTo(2);
        assertThat(instance.makespan()).isEqualTo(200);
        assertThat(instance.lowerBound()).isZero(); // the claim is what is to be shown
        assertThat(instance.start()).containsExactly(0, 0, 100);
        for (int j = 0; j < 3; j++) {
            assertThat(instance.mode()[j]).isZero();
            assertThat(instance.seconds()[j]).containsExactly(100);
            assertThat(instance.first()[j]).containsExactly(1);
            assertThat(instance.second()[j]).containsExactly(1);
        }
    }
}
