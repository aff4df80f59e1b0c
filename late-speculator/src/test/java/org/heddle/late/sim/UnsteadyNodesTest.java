// SPDX-License-Identifier: Apache-2.0
package org.heddle.late.sim;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.function.LongFunction;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Nodes that become slower or pause while the job runs, and tasks that look slow because they are large. */
class UnsteadyNodesTest {
    private static final int SEEDS = 8;

    /** The pace of the attempts that run shows it, though all attempts that have ended on the node were fast. */
    @Test
    void nodesThatBecomeSlowerInTheLastWaveAreNoticed() {
        LongFunction<Scenario> slower = seed -> UnusualJobs.slowerInTheLastWave(4, seed);
        double stock = seconds(run(slower, Mode.STOCK));
        assertThat(seconds(run(slower, Mode.HEDDLE))).isLessThan(0.88 * stock);
    }

    @Test
    void aPauseIsNoReasonForABackupWhereManyAttemptsPause() {
        List<Outcome> outcomes = run(UnusualJobs::pausing, Mode.HEDDLE);
        assertThat(useless(outcomes)).isLessThan(0.02);
        assertThat(seconds(outcomes)).isLessThan(1.01 * seconds(run(UnusualJobs::pausing, Mode.NONE)));
    }

    /**
     * No other attempt on the node shows whether the node is slow or the task large; a few backups do, once half of the
     * tasks have ended.
     */
    @Test
    void largeTasksOfUnknownSizeInOneWaveGetFewBackups() {
        LongFunction<Scenario> unknown = seed -> UnusualJobs.oneWave(seed).inputsUnknown();
        assertThat(useless(run(unknown, Mode.HEDDLE))).isLessThan(useless(run(unknown, Mode.STOCK)));
    }

    @Test
    void theRecordsThatMapsReadTellTheirSizes() {
        assertThat(useless(run(UnusualJobs::oneWaveOfCountedSizes, Mode.HEDDLE)))
                .isLessThan(0.02);
    }

    /** A quarter of the nodes is five times slower, and the only map knows no others. */
    @Test
    void aSingleMapOnASlowNodeIsHelpedByTheTimeout() {
        LongFunction<Scenario> one = seed -> {
            int[] rank = Scenarios.ranks(20, seed);
            return Scenario.maps("one map", 20, 2, 1, 60_000, i -> SimNode.of(rank[i] < 5 ? 5 : 1));
        };
        Mode timed = Mode.HEDDLE.with("two minutes", "mapreduce.heddle.late.few-tasks.timeout", "2m");
        int slow = 0;
        int helped = 0;
        for (long seed = 1; seed <= 40; seed++) {
            Outcome alone = Simulation.run(one.apply(seed), Mode.HEDDLE, seed);
            Outcome backed = Simulation.run(one.apply(seed), timed, seed);
            if (alone.seconds() < 120) {
                assertThat(backed.seconds()).as("seed %s", seed).isEqualTo(alone.seconds());
            } else {
                slow++;
                helped += backed.seconds() < 200 ? 1 : 0;
            }
        }
        assertThat(slow).isGreaterThan(5);
        assertThat(helped).as("of %s", slow).isGreaterThanOrEqualTo(slow / 2);
    }

    private static List<Outcome> run(LongFunction<Scenario> scenario, Mode mode) {
        return LongStream.rangeClosed(1, SEEDS)
                .mapToObj(seed -> Simulation.run(scenario.apply(seed), mode, seed))
                .toList();
    }

    private static double seconds(List<Outcome> outcomes) {
        return outcomes.stream().mapToDouble(Outcome::seconds).average().orElseThrow();
    }

    private static double useless(List<Outcome> outcomes) {
        return outcomes.stream().mapToDouble(Outcome::uselessShare).average().orElseThrow();
    }
}
