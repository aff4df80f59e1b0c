// SPDX-License-Identifier: Apache-2.0
package org.heddle.late.sim;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.LongFunction;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A quick subset of the report: the real plug-in and the real DefaultSpeculator over the same durations. */
class ScenariosTest {
    private static final long SEED = 1;

    @Test
    void thePapersWorkloadComesOutInThePapersOrder() {
        LongFunction<Scenario> workload = seed -> Scenarios.paper54(false, seed);
        double none = median(workload, Mode.NONE);
        double stock = median(workload, Mode.STOCK);
        // What section 5.4 compares with the native scheduler: LATE at its best cap there.
        double paper = median(workload, Mode.PAPER.with("20 %", "mapreduce.heddle.late.cap.slots", 0.2));
        assertThat(none).isBetween(680.0, 780.0);
        assertThat(stock).isBetween(200.0, 290.0);
        assertThat(paper).isLessThan(stock);
        assertThat(median(workload, Mode.HEDDLE)).isLessThanOrEqualTo(paper);
    }

    @Test
    void mostOfWhatAClairvoyantWouldGainIsGainedWhereSpeedsAreSpread() {
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

    private static double median(Scenario scenario, Mode mode) {
        return median(seed -> scenario, mode);
    }

    private static double median(LongFunction<Scenario> scenario, Mode mode) {
        return LongStream.rangeClosed(1, 3)
                .mapToDouble(
                        seed -> Simulation.run(scenario.apply(seed), mode, seed).seconds())
                .sorted()
                .skip(1)
                .findFirst()
                .orElseThrow();
    }

    @Test
    void stalledAttemptsCostLessThanHalfOfWhatTheyCostWithoutBackups() {
        assertThat(Simulation.run(Scenarios.stalls(SEED), Mode.HEDDLE, SEED).seconds())
                .isLessThan(
                        Simulation.run(Scenarios.stalls(SEED), Mode.NONE, SEED).seconds() / 2);
    }

    @Test
    void evenAndSkewedClustersSeeHardlyAnyUselessBackup() {
        for (Scenario scenario : new Scenario[] {Scenarios.even(), Scenarios.skewed(SEED)}) {
            assertThat(Simulation.run(scenario, Mode.HEDDLE, SEED).uselessShare())
                    .as(scenario.name())
                    .isLessThanOrEqualTo(0.005);
        }
    }

    /** Section 5.4.3 where the ResourceManager places: X takes the copy, and a third attempt repairs it. */
    @Test
    void xDoesNotKeepTheOnlyCopyOfYsTask() {
        assertThat(Simulation.run(Scenarios.xAndY(), Mode.HEDDLE, SEED).seconds())
                .isLessThan(4.2 * 60);
        assertThat(Simulation.run(Scenarios.xAndY(), Mode.STOCK, SEED).seconds())
                .isGreaterThan(5.5 * 60);
    }

    @Test
    void theSameSeedGivesTheSameRun() {
        assertThat(Simulation.run(Scenarios.heterogeneous(7), Mode.HEDDLE, 7))
                .isEqualTo(Simulation.run(Scenarios.heterogeneous(7), Mode.HEDDLE, 7));
    }

    @Test
    void aDryRunLaunchesNothing() {
        Mode dry = Mode.HEDDLE.with("dry", "mapreduce.heddle.late.dry-run", true);
        Outcome outcome = Simulation.run(Scenarios.slow(SEED), dry, SEED);
        assertThat(outcome.backups()).isZero();
        assertThat(outcome.seconds())
                .isEqualTo(Simulation.run(Scenarios.slow(SEED), Mode.NONE, SEED).seconds());
    }

    @Test
    void aDryRunTellsOfATaskOnceNotInEveryPass(@TempDir Path directory) throws IOException {
        Path decisions = directory.resolve("late.jsonl");
        Mode dry = Mode.HEDDLE
                .with("dry", "mapreduce.heddle.late.dry-run", true)
                .with("dry", "mapreduce.heddle.late.explain.file", decisions);
        Simulation.run(Scenarios.slow(SEED), dry, SEED);
        List<String> launched = Files.readAllLines(decisions).stream()
                .filter(line -> line.contains("\"LAUNCH\""))
                .map(line -> line.replaceFirst(".*\"task\":\"([^\"]*)\".*", "$1"))
                .toList();
        assertThat(launched).isNotEmpty().doesNotHaveDuplicates();
    }
}
