// SPDX-License-Identifier: Apache-2.0
package org.heddle.journal.hdfs;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Waits for what HDFS repairs by itself, for example when a DataNode is restarted; not for ever, and it says so. */
final class Patience {
    private static final Logger LOG = LoggerFactory.getLogger(Patience.class);
    private static final long LONGEST_SECONDS = 120;
    /** What is over sooner is nothing unusual. */
    private static final long QUIET_SECONDS = 5;

    private static final long PAUSE_MILLIS = 50;

    private final String awaited;
    private final long begin = System.nanoTime();
    private boolean told;

    /** @param awaited what is awaited, for the log */
    Patience(String awaited) {
        this.awaited = awaited;
    }

    private long seconds() {
        return TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - begin);
    }

    /**
     * Pauses before another attempt.
     *
     * @throws IOException the failure of the last attempt, if there were attempts for long enough
     */
    void pause(Supplier<IOException> failure) throws IOException {
        if (seconds() >= LONGEST_SECONDS) {
            throw failure.get();
        }
        if (!told && seconds() >= QUIET_SECONDS) {
            told = true;
            LOG.warn(
                    "Waits up to {} s for {}: {}",
                    LONGEST_SECONDS,
                    awaited,
                    failure.get().getMessage());
        }
        try {
            TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while it waited for " + awaited, e);
        }
    }

    /** It is there. */
    void end() {
        if (told) {
            LOG.info("Waited {} s for {}", seconds(), awaited);
        }
    }
}
