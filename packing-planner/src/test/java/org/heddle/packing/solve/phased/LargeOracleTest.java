// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.solve.phased;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.stream.IntStream;
import org.heddle.packing.RandomProblems;
import org.heddle.packing.model.Alpha;
import org.heddle.packing.model.Job;
import org.heddle.packing.model.PowerModel;
import org.heddle.packing.model.Problem;
import org.heddle.packing.model.Role;
import org.heddle.packing.solve.JobTable;
import org.junit.jupiter.api.Test;

class LargeOracleTest {
    private static final double INFINITE = Double.POSITIVE_INFINITY;
    /** The heuristic may miss the best roles; these are the limits of what it may lose. */
    private static final double WORST = 1.15;

    private static final double MEAN = 1.01;

    @Test
    void isExactWithoutOvercommit() {
        for (long seed = 0; seed < 50; seed++) {
            JobTable table = new JobTable(RandomProblems.large(seed, 8, 10, 2, false));
            PhaseOracle exact = new PhaseOracle(table);
            LargeOracle quick = new LargeOracle(table);
            for (int set = 1; set < 1 << table.jobs; set += 7) {
                double shortest = exact.leastSeconds(set, 0, INFINITE);
                assertThat(quick.shortest(jobs(set)).seconds())
                        .as("seed %d, jobs %d", seed, set)
                        .isCloseTo(shortest, within(1e-9 * shortest));
            }
        }
    }

    @Test
    void isNeverBelowTheExactPhaseAndKeepsTheCapacity() {
        double sum = 0;
        int phases = 0;
        for (long seed = 100; seed < 150; seed++) {
            JobTable table = new JobTable(RandomProblems.large(seed, 8, 10, 2, true));
            PhaseOracle exact = new PhaseOracle(table);
            LargeOracle quick = new LargeOracle(table);
            for (int set = 3; set < 1 << table.jobs; set += 7) {
                double shortest = exact.leastSeconds(set, 0, INFINITE);
                PhaseChoice phase = quick.shortest(jobs(set));
                assertThat(phase.seconds())
                        .as("seed %d, jobs %d", seed, set)
                        .isGreaterThanOrEqualTo(shortest * (1 - 1e-9))
                        .isLessThanOrEqualTo(shortest * WORST);
                assertThat(PhaseOracleTest.slots(table, phase)).isLessThanOrEqualTo(table.slots);
                sum += phase.seconds() / shortest;
                phases++;
            }
        }
        assertThat(sum / phases).as("mean length against the exact oracle").isLessThan(MEAN);
    }

    @Test
    void findsTheOvercommitThatPays() {
        JobTable table = new JobTable(new Problem(
                "p",
                2,
                2,
                2,
                new Alpha(1.3),
                List.of(
                        new Job("disk", new PowerModel(1200, -1), false, true),
                        new Job("core", new PowerModel(100, 0), true, false))));
        PhaseChoice phase = new LargeOracle(table).shortest(new int[] {0, 1});
        assertThat(phase.seconds()).isCloseTo(390, within(1e-6));
        assertThat(phase.roles()).containsExactly(Role.HOST, Role.EXTRA);
    }

    @Test
    void moreJobsThanSlotsHaveNoPhase() {
        JobTable table = new JobTable(RandomProblems.large(1, 5, 2, 2, false));
        LargeOracle oracle = new LargeOracle(table);
        assertThat(oracle.shortest(new int[] {0, 1, 2, 3}).seconds()).isFinite();
        assertThat(oracle.shortest(new int[] {0, 1, 2, 3, 4}).seconds()).isInfinite();
    }

    private static int[] jobs(int set) {
        return IntStream.range(0, Integer.SIZE).filter(j -> (set >> j & 1) == 1).toArray();
    }
}
