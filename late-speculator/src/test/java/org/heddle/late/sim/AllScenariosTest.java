// SPDX-License-Identifier: Apache-2.0
package org.heddle.late.sim;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import java.util.function.LongFunction;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A quick subset of the report: the real plug-in and the real DefaultSpeculator over the same durations. One seed; the
 * profile {@code soak} takes {@code heddle.late.seeds} of them.
 */
class AllScenariosTest {
    private static final long SEED = 1;
    private static final int SEEDS = Integer.getInteger("heddle.late.seeds", 1);

    // A run is a function of scenario, mode and seed, so no run is repeated.
    private static final Map<String, Outcome> RUNS = new HashMap<>();

    @Test
    void jobTimesOfThePapersWorkloadHaveThePapersOrder() {
        LongFunction<Scenario> workload = seed -> Scenarios.paper54(false, seed);
        double none = median(workload, Mode.NONE);
        double stock = median(workload, Mode.STOCK);
        // What section 5.4 compares with the native scheduler: LATE at its best cap there.
        double paper = median(workload, Mode.PAPER.with("20 %", "mapreduce.heddle.late.cap.slots", 0.2));
        assertThat(none).isBetween(660.0, 780.0);
        assertThat(stock).isBetween(200.0, 290.0);
        assertThat(paper).isLessThan(stock);
        assertThat(median(workload, Mode.HEDDLE)).isLessThanOrEqualTo(paper);
    }

    @Test
    void lateGainsMostOfWhatAClairvoyantGains() {
        double none = median(Scenarios::ec2, Mode.NONE);
        double possible = none - median(Scenarios::ec2, Mode.CLAIRVOYANT);
        assertThat(none - median(Scenarios::ec2, Mode.HEDDLE)).isGreaterThan(0.8 * possible);
    }

    static Stream<Scenario> scenarios() {
        return Stream.concat(Scenarios.all(SEED).stream(), Scenarios.small(SEED).stream());
    }

    @ParameterizedTest
    @MethodSource("scenarios")
    void heddleIsNeverSlowerThanStockOrNone(Scenario scenario) {
        double best = Math.min(median(scenario, Mode.NONE), median(scenario, Mode.STOCK));
        assertThat(median(scenario, Mode.HEDDLE)).isLessThanOrEqualTo(1.01 * best);
    }

    private double median(Scenario scenario, Mode mode) {
        return median(seed -> scenario, mode);
    }

    private double median(LongFunction<Scenario> scenario, Mode mode) {
        return LongStream.rangeClosed(1, SEEDS)
                .mapToDouble(seed -> run(scenario.apply(seed), mode, seed).seconds())
                .sorted()
                .skip((SEEDS - 1) / 2)
                .findFirst()
                .orElseThrow();
    }

    private Outcome run(Scenario scenario, Mode mode, long seed) {
        String name = scenario.name() + '/' + mode.name() + '/' + seed;
        return RUNS.computeIfAbsent(name, n -> Simulation.run(scenario, mode, seed));
    }

    @Test
    void evenAndSkewedClustersHaveFewUselessBackups() {
        for (Scenario scenario : new Scenario[] {Scenarios.even(), Scenarios.skewed(SEED)}) {
            assertThat(run(scenario, Mode.HEDDLE, SEED).uselessShare())
                    .as(scenario.name())
                    .isLessThanOrEqualTo(0.005);
        }
    }
}
