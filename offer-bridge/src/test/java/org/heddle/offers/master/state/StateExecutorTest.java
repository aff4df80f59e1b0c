// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.master.state;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import org.heddle.offers.TestClocks;
import org.heddle.offers.store.Journal;
import org.heddle.testkit.Await;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StateExecutorTest {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    @TempDir
    private Path directory;

    @Test
    void itIsBehindWhileAnOlderChangeWaits() throws Exception {
        AtomicLong clock = new AtomicLong(1_000);
        CountDownLatch enough = new CountDownLatch(1);
        try (Journal journal = Journal.open(directory);
                StateExecutor executor = new StateExecutor(TestClocks.of(clock::get), journal, () -> {})) {
            executor.start();
            assertThat(executor.isBehind(Long.MAX_VALUE)).isFalse();
            executor.post(change -> change.after(() -> {
                try {
                    enough.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }));
            Await.until("the change to wait", PATIENCE, () -> executor.isBehind(1_001));
            assertThat(executor.isBehind(1_000)).isFalse();
            enough.countDown();
            Await.until("the change to be done", PATIENCE, () -> !executor.isBehind(Long.MAX_VALUE));
        }
    }
}
