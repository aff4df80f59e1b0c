// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.stream.Collectors;
import org.heddle.testkit.Await;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The thread that Hadoop's base class runs for a scheduler that wants one. */
class HousekeepingTest {
    @TempDir
    Path directory;

    @Test
    void itsThreadLivesAsLongAsTheScheduler() throws Exception {
        Set<Thread> before = updateThreads();
        try (RmFixture fixture = new RmFixture(directory, RmFixture.ONE_LEAF)) {
            Set<Thread> ours = updateThreads();
            ours.removeAll(before);
            assertThat(ours).hasSize(1);
            fixture.scheduler().stop();
            Await.until(
                    "the thread to end",
                    Duration.ofSeconds(10),
                    () -> ours.stream().noneMatch(Thread::isAlive),
                    ours::toString);
        }
    }

    private static Set<Thread> updateThreads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals("SchedulerUpdateThread"))
                .collect(Collectors.toSet());
    }
}
