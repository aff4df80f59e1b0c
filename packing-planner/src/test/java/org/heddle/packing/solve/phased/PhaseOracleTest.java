// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.solve.phased;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Random;
import org.heddle.packing.RandomProblems;
import org.heddle.packing.model.Alpha;
import org.heddle.packing.model.Job;
import org.heddle.packing.model.PowerModel;
import org.heddle.packing.model.Problem;
import org.heddle.packing.model.Role;
import org.heddle.packing.solve.BruteForce;
import org.heddle.packing.solve.JobTable;
import org.junit.jupiter.api.Test;

class PhaseOracleTest {
    private static final double INFINITE = Double.POSITIVE_INFINITY;

    /** Two machines with two disks: four slots. An extra needs two hosts on its machine. */
    private static JobTable fourSlots(Job... jobs) {
        return new JobTable(new Problem("p", 2, 2, 2, new Alpha(1.3), List.of(jobs)));
    }

    private static Job job(String name, double a, double b) {
        return new Job(name, new PowerModel(a, b), false, false);
    }

    @Test
    void jobsWithoutClassesShareTheSlots() {
        PhaseOracle oracle = new PhaseOracle(fourSlots(job("a", 100, -1), job("b", 100, -1), job("c", 100, -1)));
        assertThat(oracle.leastSeconds(0b001, 0, INFINITE)).as("4 VMs").isEqualTo(25);
        assertThat(oracle.leastSeconds(0b011, 0, INFINITE)).as("2 + 2").isEqualTo(50);
        assertThat(oracle.leastSeconds(0b111, 0, INFINITE)).as("2 + 1 + 1").isEqualTo(100);
    }

    /**
     * Side by side as normal jobs the host gets 3 VMs: 400 s. With the other one as its extra it gets 4: 1.3 x 300 s.
     */
    @Test
    void anExtraTakesNoSlotFromItsHost() {
        JobTable table = fourSlots(
                new Job("disk", new PowerModel(1200, -1), false, true),
                new Job("core", new PowerModel(100, 0), true, false));
        PhaseOracle oracle = new PhaseOracle(table);
        double seconds = oracle.leastSeconds(0b11, 0, INFINITE);
        assertThat(seconds).isCloseTo(390, within(1e-9));
        PhaseChoice phase = oracle.choose(0b11, seconds);
        assertThat(phase.roles()).containsExactly(Role.HOST, Role.EXTRA);
        assertThat(phase.widths()).containsExactly(4, 1);
        assertThat(phase.jobSeconds()[1]).isCloseTo(130, within(1e-9));
    }

    @Test
    void theKnownLimitsCutTheSearch() {
        PhaseOracle oracle = new PhaseOracle(fourSlots(job("a", 100, -1), job("b", 100, -1)));
        assertThat(oracle.leastSeconds(0b11, 50, INFINITE)).isEqualTo(50);
        assertThat(oracle.leastSeconds(0b11, 0, 50)).as("nothing below 50 s").isEqualTo(INFINITE);
        assertThat(oracle.leastSeconds(0b11, 0, 50.1)).isEqualTo(50);
        assertThatThrownBy(() -> oracle.choose(0b11, 49)).hasMessage("no phase of 49.0 s with the jobs 11");
    }

    @Test
    void findsTheShortestOfAllRolesAndVmCounts() {
        for (long seed = 0; seed < 150; seed++) {
            Problem problem = small(seed);
            PhaseOracle oracle = new PhaseOracle(new JobTable(problem));
            for (int set = 1; set < 1 << problem.jobs().size(); set++) {
                double shortest = BruteForce.phase(problem.withJobs(jobs(problem, set)));
                double found = oracle.leastSeconds(set, 0, INFINITE);
                if (shortest == INFINITE) {
                    assertThat(found).as("seed %d, jobs %d", seed, set).isEqualTo(INFINITE);
                } else {
                    assertThat(found).as("seed %d, jobs %d", seed, set).isCloseTo(shortest, within(1e-9 * shortest));
                }
            }
        }
    }

    @Test
    void theChosenPhaseKeepsTheCapacityAndItsLength() {
        for (long seed = 200; seed < 300; seed++) {
            Problem problem = small(seed);
            JobTable table = new JobTable(problem);
            PhaseOracle oracle = new PhaseOracle(table);
            for (int set = 1; set < 1 << table.jobs; set++) {
                double seconds = oracle.leastSeconds(set, 0, INFINITE);
                if (seconds < INFINITE) {
                    PhaseChoice phase = oracle.choose(set, seconds);
                    assertThat(phase.seconds())
                            .as("seed %d, jobs %d", seed, set)
                            .isEqualTo(seconds);
                    assertThat(slots(table, phase))
                            .as("seed %d, jobs %d", seed, set)
                            .isLessThanOrEqualTo(table.slots);
                }
            }
        }
    }

    @Test
    void moreJobsNeverMakeAPhaseShorter() {
        for (long seed = 300; seed < 400; seed++) {
            Problem problem = small(seed);
            PhaseOracle oracle = new PhaseOracle(new JobTable(problem));
            int all = (1 << problem.jobs().size()) - 1;
            for (int set = 1; set <= all; set++) {
                for (int j = 0; j < problem.jobs().size(); j++) {
                    assertThat(oracle.leastSeconds(set | 1 << j, 0, INFINITE))
                            .as("seed %d, jobs %d and %d", seed, set, j)
                            .isGreaterThanOrEqualTo(oracle.leastSeconds(set, 0, INFINITE));
                }
            }
        }
    }

    private static Problem small(long seed) {
        Random random = new Random(seed);
        Problem problem = RandomProblems.of(seed, 2 + random.nextInt(3), 1 + random.nextInt(4), 1 + random.nextInt(3));
        return seed % 3 == 0 ? RandomProblems.withMeasuredAlpha(problem, seed) : problem;
    }

    private static List<Job> jobs(Problem problem, int set) {
        return problem.jobs().stream()
                .filter(job -> (set >> problem.jobs().indexOf(job) & 1) == 1)
                .toList();
    }

    /** Slots that a phase takes: n + max(h, g(e)). */
    static int slots(JobTable table, PhaseChoice phase) {
        return vms(phase, Role.NORMAL) + Math.max(vms(phase, Role.HOST), table.slotsFor(vms(phase, Role.EXTRA)));
    }

    private static int vms(PhaseChoice phase, Role role) {
        Role[] roles = phase.roles();
        int[] widths = phase.widths();
        int vms = 0;
        for (int i = 0; i < roles.length; i++) {
            vms += roles[i] == role ? widths[i] : 0;
        }
        return vms;
    }
}
