// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn.capacity;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.heddle.scheduler.yarn.HeddleScheduler;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code intra-queue-preemption}: alice has all of a leaf when bob comes. */
@Tag("newer-line")
class PreemptionWithinQueuesTest {
    private static final String MONITOR = "yarn.resourcemanager.monitor.capacity.preemption.";

    @TempDir
    Path directory;

    @ParameterizedTest
    @CsvSource({"true, false, 50", "true, true, 0", "false, false, 0"})
    void anotherUserIsHelpedWhereTheKeySaysIt(boolean enabled, boolean disabled, int ofBob) throws Exception {
        Path file = Files.writeString(
                directory.resolve("capacity-scheduler.xml"),
                CapacityFile.xml(new TreeMap<>(Map.of(
                        "root.queues", "lab",
                        "root.lab.capacity", "100",
                        "root.lab.maximum-applications", "10",
                        "root.lab.intra-queue-preemption.disable_preemption", String.valueOf(disabled)))));
        try (CapacityFixture fixture = new CapacityFixture(
                        CapacityFixture.OURS,
                        file,
                        "yarn.resourcemanager.scheduler.monitor.enable",
                        "true",
                        MONITOR + "total_preemption_per_round",
                        "1.0",
                        MONITOR + "intra-queue-preemption.enabled",
                        String.valueOf(enabled))
                .nodes(100)) {
            CapacityFixture.App alice = fixture.app("alice", "lab").ask(200, 1024, 1);
            fixture.heartbeats(3);
            assertThat(alice.holds()).isEqualTo(100);
            CapacityFixture.App bob = fixture.app("bob", "lab").ask(200, 1024, 1);
            for (int second = 0; second < 60; second++) {
                ((HeddleScheduler) fixture.scheduler()).update();
                fixture.heartbeat();
            }
            assertThat(bob.holds()).isBetween(ofBob - 1, ofBob + 1);
        }
    }
}
