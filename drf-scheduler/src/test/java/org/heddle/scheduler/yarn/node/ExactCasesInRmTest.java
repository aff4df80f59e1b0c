// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Path;
import org.heddle.scheduler.yarn.RmFixture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The papers' examples inside a ResourceManager, through unmanaged applications, whose masters take no share. */
@Tag("newer-line")
class ExactCasesInRmTest {
    private static final int GB = 1_000;

    @TempDir
    Path directory;

    @Test
    void nexus4MemoryHeavyAgainstBalanced() throws Exception {
        try (RmFixture fixture = new RmFixture(directory, RmFixture.ONE_LEAF)) {
            for (int i = 0; i < 10; i++) {
                fixture.node("127.1.0." + (i + 1), 30 * GB, 30);
            }
            RmFixture.App a = fixture.unmanaged("alice", "default");
            RmFixture.App b = fixture.unmanaged("bob", "default");
            a.ask(1_000, 3 * GB, 1);
            b.ask(1_000, GB, 1);
            fill(fixture);
            assertThat(a.collect().containers).hasSize(50);
            assertThat(b.collect().containers).hasSize(150);
            assertThat(fixture.schedulable("default/alice").dominantShare()).isEqualTo(0.5);
            assertThat(fixture.schedulable("default/alice").fairShare()).isCloseTo(0.5, within(0.001));
            assertThat(fixture.schedulable("default/alice").dominantResource()).isEqualTo("memory-mb");
        }
    }

    @Test
    void nexus4OppositeDemandsBothReachNinetyPercent() throws Exception {
        try (RmFixture fixture = new RmFixture(directory, RmFixture.ONE_LEAF)) {
            for (int i = 0; i < 3; i++) {
                fixture.node("127.1.0." + (i + 1), 100 * GB, 100);
            }
            RmFixture.App a = fixture.unmanaged("alice", "default");
            RmFixture.App b = fixture.unmanaged("bob", "default");
            a.ask(1_000, 9 * GB, 1);
            b.ask(1_000, GB, 9);
            fill(fixture);
            assertThat(fixture.schedulable("default/alice").dominantShare()).isCloseTo(0.9, within(0.001));
            assertThat(fixture.schedulable("default/bob").dominantShare()).isCloseTo(0.9, within(0.001));
        }
    }

    @Test
    void nsdi2011() throws Exception {
        try (RmFixture fixture = new RmFixture(directory, RmFixture.ONE_LEAF)) {
            fixture.node("127.1.0.1", 18 * GB, 9);
            RmFixture.App a = fixture.unmanaged("alice", "default");
            RmFixture.App b = fixture.unmanaged("bob", "default");
            a.ask(100, 4 * GB, 1);
            b.ask(100, GB, 3);
            fill(fixture);
            assertThat(a.collect().containers).hasSize(3);
            assertThat(b.collect().containers).hasSize(2);
        }
    }

    private static void fill(RmFixture fixture) throws Exception {
        long before;
        do {
            before = fixture.counter("containers-allocated");
            fixture.heartbeat();
        } while (fixture.counter("containers-allocated") > before);
    }
}
