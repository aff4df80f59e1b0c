// SPDX-License-Identifier: Apache-2.0
package org.heddle.testkit.jobs;

import java.util.concurrent.TimeUnit;

/** Keeps equal steps of work to a beat; a step that comes late is not made up for by shorter pauses of others. */
final class Pace {
    private final long beatNanos;
    private long next;

    Pace(long beatNanos) {
        this.beatNanos = beatNanos;
        next = System.nanoTime();
    }

    /** Waits for the end of the beat that the step just done belongs to. */
    void await() throws InterruptedException {
        next = Math.max(next, System.nanoTime() - beatNanos) + beatNanos;
        long left = next - System.nanoTime();
        if (left > 0) {
            TimeUnit.NANOSECONDS.sleep(left);
        }
    }
}
