// SPDX-License-Identifier: Apache-2.0
package org.heddle.journal.hdfs;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Says when a leader's open file that has lost copies should be replaced by a new one. HDFS makes no copy of a block
 * that is being written, and its client does not use a DataNode again that has come back: so the file stays on fewer
 * DataNodes, until it is closed. While copies are missing, this looks on a thread of its own whether a new file would
 * have more of them, after one second and then at longer and longer intervals.
 */
final class CopiesCheck {
    static final long FIRST_NANOS = TimeUnit.SECONDS.toNanos(1);
    static final long LONGEST_NANOS = TimeUnit.MINUTES.toNanos(1);

    private static final Logger LOG = LoggerFactory.getLogger(CopiesCheck.class);

    /** Begins a file and counts its copies. */
    interface Trial {
        int copies() throws IOException;
    }

    private final int wanted;
    private final Trial trial;
    private final LongSupplier nanos;
    private final BackgroundCheck check = new BackgroundCheck("heddle-journal-copies-check", this::look);
    private boolean missing;
    private volatile long dueNanos;
    private volatile long intervalNanos;
    private volatile int possible;

    /** @param nanos a clock, as {@link System#nanoTime} */
    CopiesCheck(int wanted, Trial trial, LongSupplier nanos) {
        this.wanted = wanted;
        this.trial = trial;
        this.nanos = nanos;
    }

    /**
     * For one thread.
     *
     * @param copies of the file now
     * @return whether a look has found that a new file would have more
     */
    boolean needsNewFile(int copies) {
        if (copies >= wanted) {
            missing = false;
            return false;
        }
        if (!missing) {
            missing = true;
            possible = 0;
            intervalNanos = FIRST_NANOS;
            dueNanos = nanos.getAsLong() + FIRST_NANOS;
            LOG.warn(
                    "The log's open file is on {} DataNodes instead of {}; it is replaced when a new one would have more",
                    copies,
                    wanted);
        }
        if (possible > copies) {
            possible = 0; // the new file may lose copies too, and then this looks later
            return true;
        }
        if (nanos.getAsLong() - dueNanos >= 0) {
            check.start();
        }
        return false;
    }

    /** Whether no look goes on. */
    boolean isIdle() {
        return check.isIdle();
    }

    private void look() {
        try {
            possible = trial.copies();
        } catch (IOException e) {
            LOG.debug("How many copies a new file has cannot be found out now", e);
        } finally {
            intervalNanos = Math.min(LONGEST_NANOS, 2 * intervalNanos);
            dueNanos = nanos.getAsLong() + intervalNanos;
        }
    }
}
