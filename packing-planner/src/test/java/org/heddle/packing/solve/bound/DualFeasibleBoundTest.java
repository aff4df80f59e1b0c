// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.solve.bound;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Random;
import org.heddle.packing.RandomProblems;
import org.heddle.packing.SearchSteps;
import org.heddle.packing.model.Alpha;
import org.heddle.packing.model.Job;
import org.heddle.packing.model.PowerModel;
import org.heddle.packing.model.Problem;
import org.heddle.packing.solve.JobTable;
import org.heddle.packing.solve.timed.NonPhasedPlanner;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DualFeasibleBoundTest {
    /** VMs do not help these three jobs: on two slots two of them must follow each other. */
    @Test
    void seesThatJobsCannotBeCut() {
        Job rigid = new Job("a", new PowerModel(100, 0), false, false);
        Problem problem = new Problem(
                "p",
                1,
                2,
                2,
                new Alpha(1.3),
                List.of(
                        rigid,
                        new Job("b", new PowerModel(100, 0), false, false),
                        new Job("c", new PowerModel(100, 0), false, false)));
        JobTable table = new JobTable(problem);
        double area = new AreaBound(table).seconds();
        assertThat(area).isCloseTo(150, within(1e-6));
        assertThat(new DualFeasibleBound(table).raise(area, 200, SearchSteps.limit(100_000)))
                .isCloseTo(200, within(0.1));
    }

    @Test
    void neverMakesOneOutOfLess() {
        Random random = new Random(3);
        for (int round = 0; round < 20_000; round++) {
            int k = 1 + random.nextInt(3);
            double left = 1;
            double sum = 0;
            while (left > 1e-3) {
                double x = random.nextBoolean() ? left : left * random.nextDouble();
                if (random.nextInt(4) == 0) {
                    x = Math.min(left, (double) random.nextInt(1, 4) / (k + 1));
                }
                left -= x;
                sum += DualFeasibleBound.shrunk(k, x);
            }
            assertThat(sum).isLessThanOrEqualTo(1 + 1e-6);
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void liesBetweenTheAreaBoundAndEveryPlan(long seed) {
        Problem problem = RandomProblems.of(seed, 6, 4, 3);
        JobTable table = new JobTable(problem);
        double area = new AreaBound(table).seconds();
        double makespan =
                new NonPhasedPlanner().plan(problem, SearchSteps.limit(2_000)).makespan();
        // Started well above: what it proves must still hold for the plan that was found.
        double bound = new DualFeasibleBound(table).raise(area, 1.5 * makespan, SearchSteps.limit(100_000));
        assertThat(bound).isBetween(area, makespan * (1 + 1e-9));
    }
}
