// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn.app;

import java.util.Map;
import java.util.WeakHashMap;
import org.heddle.scheduler.yarn.queue.HeddleQueue;

/**
 * In which leaf queues all that tasks need is there: none waits for its container, and each ApplicationMaster has run
 * long enough to have asked. Looks at all applications of a leaf, but at most once in {@link #VALID_MILLIS} while its
 * number of masters is the same. Guarded by the scheduler's lock.
 */
final class QuietLeaves {
    /** A master that has run for so long without a task, or without asking for one, is idle. */
    private static final long IDLE_MILLIS = 10_000;

    private static final long VALID_MILLIS = 1_000;

    private record Look(long atMillis, int masters, boolean quiet) {}

    private final Map<HeddleQueue, Look> looks = new WeakHashMap<>();

    /** @param nowMillis by the scheduler's clock */
    boolean isQuiet(HeddleQueue leaf, long nowMillis) {
        Look last = looks.get(leaf);
        if (last == null || last.masters() != leaf.masters() || nowMillis - last.atMillis() >= VALID_MILLIS) {
            last = new Look(nowMillis, leaf.masters(), look(leaf, nowMillis));
            looks.put(leaf, last);
        }
        return last.quiet();
    }

    private static boolean look(HeddleQueue leaf, long nowMillis) {
        for (HeddleApplication application : HeddleApplication.of(leaf)) {
            HeddleAttempt attempt = application.getCurrentAppAttempt();
            if (attempt != null && !attempt.isStopped() && !attempt.awaitsMaster()) {
                boolean waits = application.schedulable().pending() > 0;
                boolean begins = application.schedulable().running() <= 1
                        && nowMillis - application.masterSinceMillis() < IDLE_MILLIS;
                if (waits || begins) {
                    return false;
                }
            }
        }
        return true;
    }
}
