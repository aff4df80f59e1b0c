// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.solve.malleable;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.InputStream;
import java.nio.file.Path;
import java.util.Random;
import org.heddle.packing.RandomProblems;
import org.heddle.packing.SearchSteps;
import org.heddle.packing.check.PlanChecker;
import org.heddle.packing.io.ProblemFile;
import org.heddle.packing.model.Plan;
import org.heddle.packing.model.Problem;
import org.heddle.packing.model.Role;
import org.heddle.packing.solve.JobTable;
import org.heddle.packing.solve.phased.PhasedPlanner;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ExactMixPricingTest {
    @Test
    void findsWhatTryingEveryMixFinds() {
        int tried = 0;
        for (long seed = 0; seed < 200; seed++) {
            Random random = new Random(seed);
            Problem problem =
                    RandomProblems.of(seed, 2 + random.nextInt(2), 1 + random.nextInt(3), 1 + random.nextInt(3));
            JobTable table = new JobTable(problem);
            ExactMixPricing pricing = ExactMixPricing.of(table);
            if (pricing == null) {
                continue;
            }
            tried++;
            double[] prices = random.doubles(table.jobs, 0, 100).toArray();
            MixPricing.Answer answer = pricing.best(prices);
            double most = most(table, prices, 0, new Mix(table.jobs));
            assertThat(answer.most()).as("seed %d", seed).isCloseTo(most, within(1e-9 * most));
            assertThat(answer.mixes().stream()
                            .mapToDouble(mix -> mix.earns(table, prices))
                            .max()
                            .orElseThrow())
                    .as("what its mixes really earn, seed %d", seed)
                    .isCloseTo(most, within(1e-9 * most));
        }
        assertThat(tried).isGreaterThan(80);
    }

    /** Every role and VM count of the jobs from this one on. */
    private static double most(JobTable table, double[] prices, int job, Mix mix) {
        if (job == table.jobs) {
            return fits(table, mix) ? mix.earns(table, prices) : 0;
        }
        double most = 0;
        for (Role role : Role.values()) {
            for (int width = 0; table.mayBe(job, role) && width <= table.slots; width++) {
                mix.roles[job] = role;
                mix.widths[job] = width;
                most = Math.max(most, most(table, prices, job + 1, mix));
            }
        }
        return most;
    }

    private static boolean fits(JobTable table, Mix mix) {
        int hosts = vms(mix, Role.HOST);
        int extras = vms(mix, Role.EXTRA);
        return (extras == 0 || hosts > 0)
                && vms(mix, Role.NORMAL) + Math.max(hosts, table.slotsFor(extras)) <= table.slots;
    }

    private static int vms(Mix mix, Role role) {
        int sum = 0;
        for (int j = 0; j < mix.widths.length; j++) {
            sum += mix.roles[j] == role ? mix.widths[j] : 0;
        }
        return sum;
    }

    @ParameterizedTest
    @ValueSource(strings = {"w1", "w2", "w3", "w4", "w5", "w6"})
    void malleablePlansOfThePapersWorkloadsAreProvenOptimal(String file) {
        Problem problem = ProblemFile.read(
                        Path.of("..", "conf-samples", "packing", file + ".json"), InputStream.nullInputStream())
                .problem();
        Plan plan = new MalleablePlanner().plan(problem, SearchSteps.limit(100_000));
        assertThat(PlanChecker.check(problem, plan).violations()).isEmpty();
        assertThat(plan.gap()).isLessThan(1e-6);
        assertThat(plan.makespan())
                .isLessThan(new PhasedPlanner()
                        .plan(problem, SearchSteps.limit(100_000))
                        .makespan());
    }
}
