// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Objects;
import org.heddle.scheduler.snapshot.AllocationDelayReport;
import org.heddle.scheduler.yarn.RmFixture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AllocationDelaysTest {
    private final AllocationDelays delays = new AllocationDelays();

    @Test
    void bucketsHaveTheirUpperBoundsAndTheLastHasNone() {
        delays.add(10, 1_000);
        delays.add(11, 1_000);
        delays.add(Long.MAX_VALUE / 4, 1_000);
        AllocationDelayReport report = delays.report(1_000);
        assertThat(report.counts())
                .hasSize(report.boundsMillis().size() + 1)
                .startsWith(1L, 1L)
                .endsWith(1L);
        assertThat(report.boundsMillis()).startsWith(10L, 50L).isSorted();
    }

    @Test
    void quantilesAreOfTheLastOneToTwoMinutes() {
        assertThat(delays.report(0).recent()).isNull();
        for (int i = 0; i < 100; i++) {
            delays.add(i < 90 ? 900 : 9_000, 1_000);
        }
        AllocationDelayReport.Recent recent =
                Objects.requireNonNull(delays.report(100_000).recent());
        assertThat(recent.median()).isBetween(500.0, 1_000.0);
        assertThat(recent.p95()).isBetween(5_000.0, 10_000.0);
        assertThat(recent.p99()).isBetween(recent.p95(), 10_000.0);
        assertThat(delays.report(240_000).recent()).as("nothing came lately").isNull();
        assertThat(delays.report(240_000).totalMillis()).isEqualTo(90 * 900 + 10 * 9_000);
    }

    /** Two fit at the next heartbeat, a second after the request; the third when one of them has ended, 30 s later. */
    @Test
    void aContainerIsWaitedForSinceItsOwnRequest(@TempDir Path directory) throws Exception {
        try (RmFixture fixture = new RmFixture(directory, RmFixture.atHeartbeats(RmFixture.ONE_LEAF))) {
            fixture.node("127.2.0.1", 2_000, 4);
            RmFixture.App app = fixture.unmanaged("alice", "default").ask(3, 1_000, 1);
            fixture.heartbeat();
            assertThat(fixture.scheduler().snapshot().allocationDelays().totalMillis())
                    .isEqualTo(2_000);
            fixture.clock.tick(28_000);
            app.collect().release(app.ids().get(0));
            fixture.heartbeat();
            AllocationDelayReport report = fixture.scheduler().takeSnapshot().allocationDelays();
            assertThat(report.totalMillis()).isEqualTo(2_000 + 30_000);
            assertThat(report.counts().stream().mapToLong(Long::longValue).sum())
                    .isEqualTo(3);
        }
    }
}
