// SPDX-License-Identifier: Apache-2.0
package org.heddle.journal.hdfs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.heddle.testkit.Await;
import org.junit.jupiter.api.Test;

class CopiesCheckTest {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final AtomicLong nanos = new AtomicLong();
    private final AtomicInteger trials = new AtomicInteger();
    private volatile int possible = 2;
    private final CopiesCheck check = new CopiesCheck(3, this::copies, nanos::get);

    private int copies() throws IOException {
        trials.incrementAndGet();
        if (possible < 0) {
            throw new IOException("no DataNode takes it");
        }
        return possible;
    }

    private void assertTrial(int copies, boolean needed) {
        int before = trials.get();
        assertThat(check.needsNewFile(copies)).as("before its result is there").isFalse();
        Await.until("the trial to end", PATIENCE, () -> trials.get() > before && check.isIdle());
        assertThat(trials.get()).isEqualTo(before + 1);
        assertThat(check.needsNewFile(copies)).isEqualTo(needed);
    }

    @Test
    void aFileWithAllItsCopiesIsNotReplaced() {
        nanos.addAndGet(CopiesCheck.LONGEST_NANOS);
        assertThat(check.needsNewFile(3)).isFalse();
        assertThat(check.needsNewFile(4)).isFalse();
        assertThat(trials.get()).isZero();
    }

    @Test
    void aFileIsReplacedOnlyIfThatGivesItMoreCopies() {
        assertThat(check.needsNewFile(2)).isFalse();
        nanos.addAndGet(CopiesCheck.FIRST_NANOS);
        assertTrial(2, false);
        nanos.addAndGet(CopiesCheck.LONGEST_NANOS);
        possible = -1;
        assertTrial(2, false);
        nanos.addAndGet(CopiesCheck.LONGEST_NANOS);
        possible = 3;
        assertTrial(2, true);
        assertThat(check.needsNewFile(3)).as("the new one").isFalse();
        assertThat(check.needsNewFile(2)).as("the next loss").isFalse();
    }

    @Test
    void looksBecomeRare() {
        check.needsNewFile(1);
        possible = 1;
        long interval = CopiesCheck.FIRST_NANOS;
        for (int i = 0; i < 10; i++) {
            nanos.addAndGet(interval - 1);
            assertThat(check.needsNewFile(1)).isFalse();
            nanos.incrementAndGet();
            assertTrial(1, false);
            interval = Math.min(CopiesCheck.LONGEST_NANOS, 2 * interval);
        }
    }
}
