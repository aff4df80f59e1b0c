// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.yarn;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The paper's experiment 4.4 in a real ResourceManager, with tasks that only take virtual time: minutes, so by hand,
 * see docs/testing.md. Ten users with ten jobs each; user n has four times the rate during job n.
 */
class BoostGoals {
    private static final double IDEAL = 3.3077;

    @TempDir
    Path directory;

    @Test
    void aBoostByFourReachesNinetyFiveHundredthsOfTheIdeal() throws Exception {
        BoostRun.Outcome outcome = new BoostRun(directory, 5_000, 5_000, 0).run();
        System.out.println("boost: " + outcome);
        assertThat(outcome.boost()).as("%s", outcome).isBetween(IDEAL * 0.95, IDEAL * 1.05);
        assertThat(outcome.makespan()).as("%s", outcome).isLessThan(102);
    }

    /** Tasks of four intervals: without preemption rates would be felt late. */
    @Test
    void preemptionWastesLessThanAHundredthOfTheWork() throws Exception {
        BoostRun.Outcome outcome = withPreemption("first");
        System.out.println("preemption: " + outcome);
        assertThat(outcome.wasted()).as("%s", outcome).isLessThan(0.01);
        assertThat(withPreemption("second")).as("the same again").isEqualTo(outcome);
    }

    private BoostRun.Outcome withPreemption(String name) throws Exception {
        return new BoostRun(Files.createDirectory(directory.resolve(name)), 20_000, 5_000, 5_000).run();
    }
}
