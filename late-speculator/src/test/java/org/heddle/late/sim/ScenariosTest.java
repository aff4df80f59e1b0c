// SPDX-License-Identifier: Apache-2.0
package org.heddle.late.sim;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The plug-in over one cluster; quick enough for both Hadoop lines. */
class ScenariosTest {
    private static final long SEED = 1;

    @Test
    void backupsHalveTheTimeOfAJobWithStalledAttempts() {
        assertThat(Simulation.run(Scenarios.stalls(SEED), Mode.HEDDLE, SEED).seconds())
                .isLessThan(
                        Simulation.run(Scenarios.stalls(SEED), Mode.NONE, SEED).seconds() / 2);
    }

    /** In an unlucky run the slow node takes the last map, and the reduces that wait for it hold all other slots. */
    @Test
    void aWaitingReduceGivesItsSlotToABackup() {
        Mode without = Mode.HEDDLE.with("without room", "mapreduce.heddle.late.make-room", false);
        double[] seconds = secondsOfSharedSlots(Mode.HEDDLE);
        double[] secondsWithout = secondsOfSharedSlots(without);
        for (int seed = 0; seed < seconds.length; seed++) {
            assertThat(seconds[seed]).as("seed %d", seed).isLessThan(secondsWithout[seed] + 1);
        }
        double worst = Arrays.stream(secondsWithout).max().orElseThrow();
        assertThat(Arrays.stream(seconds).max().orElseThrow()).isLessThan(0.8 * worst);
    }

    private static double[] secondsOfSharedSlots(Mode mode) {
        return IntStream.range(0, 12)
                .mapToDouble(seed ->
                        Simulation.run(Scenarios.sharedSlots(seed), mode, seed).seconds())
                .toArray();
    }

    /** Section 5.4.3 where the ResourceManager places: X takes the copy, and a third attempt repairs it. */
    @Test
    void aThirdAttemptRepairsABackupOnASlowNode() {
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
    void aDryRunReportsEachTaskOnce(@TempDir Path directory) throws IOException {
        Mode dry = Mode.HEDDLE.with("dry", "mapreduce.heddle.late.dry-run", true);
        List<String> launched = Decisions.of(Scenarios.slow(SEED), dry, SEED, directory).stream()
                .filter(line -> line.contains("\"LAUNCH\""))
                .map(line -> line.replaceFirst(".*\"task\":\"([^\"]*)\".*", "$1"))
                .toList();
        assertThat(launched).isNotEmpty().doesNotHaveDuplicates();
    }
}
