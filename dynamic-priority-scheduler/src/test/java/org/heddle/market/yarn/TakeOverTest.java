// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.yarn;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The default limit of lost work where queues that do not pay hold the whole cluster: see {@link TakeOverRun}. No queue
 * that pays waits for longer than one of the tasks that hold the cluster, and at most a hundredth of the work is lost.
 */
@Tag("newer-line")
class TakeOverTest {
    private static final long HOUR = 3_600;

    @TempDir
    Path directory;

    @Test
    void whoPaysWaitsForOneTaskAtMostAndAHundredthOfTheWorkIsLost() throws Exception {
        waitsForOneTaskAtMostAndAHundredthOfTheWorkIsLost(5, 900, 2_010);
    }

    @ParameterizedTest
    @Tag("long-2")
    @CsvSource({"10, 300, 2010", "10, 900, 2010", "10, 3600, 2010", "10, 3600, 1", "10, 7200, 1"})
    void waitsForOneTaskAtMostAndAHundredthOfTheWorkIsLost(int nodes, long taskSeconds, long seed) throws Exception {
        TakeOverRun.Outcome outcome =
                takeOver(nodes, MarketKeys.PREEMPTION_MAX_LOST_WORK.fallback(), taskSeconds, seed);
        assertThat(outcome.unserved()).as("%s", outcome).isZero();
        assertThat(outcome.longestWaitMillis()).as("%s", outcome).isLessThanOrEqualTo(1_000 * taskSeconds);
        assertThat(outcome.wasted()).as("%s", outcome).isLessThan(0.01);
    }

    /** Nodes are held for who pays, so that the ends of tasks are enough. */
    @Test
    @Tag("long-2")
    void withoutPreemptionWhoPaysWaitsForOneTaskAtMostToo() throws Exception {
        TakeOverRun.Outcome outcome = takeOver(10, "off", HOUR, 2_010);
        assertThat(outcome.unserved()).as("%s", outcome).isZero();
        assertThat(outcome.longestWaitMillis()).as("%s", outcome).isLessThanOrEqualTo(1_000 * HOUR);
    }

    /** He waits for the interval of preemption twice, the one after which his rate counts, and for masters' grace. */
    @Test
    @Tag("long-2")
    void withoutALimitWhoPaysIsServedWithinThreeMinutes() throws Exception {
        TakeOverRun.Outcome outcome = takeOver(10, "100%", HOUR, 2_010);
        assertThat(outcome.unserved()).as("%s", outcome).isZero();
        assertThat(outcome.longestWaitMillis()).as("%s", outcome).isLessThan(180_000);
    }

    /**
     * No queue that pays loses a container, and no queue an ApplicationMaster.
     *
     * @param limit of lost work; {@code off} for no preemption
     */
    private TakeOverRun.Outcome takeOver(int nodes, String limit, long taskSeconds, long seed) throws Exception {
        boolean off = limit.equals("off");
        Path home = Files.createTempDirectory(directory, "run");
        TakeOverRun.Outcome outcome =
                new TakeOverRun(home, nodes, off ? 0 : 60_000, off ? "100%" : limit, 1_000 * taskSeconds, seed).run();
        System.out.println(
                "take-over, tasks of " + taskSeconds + " s, seed " + seed + ", limit " + limit + ": " + outcome);
        assertThat(outcome.revokedOfPayers()).as("%s", outcome).isZero();
        assertThat(outcome.mastersLost()).as("%s", outcome).isZero();
        return outcome;
    }
}
