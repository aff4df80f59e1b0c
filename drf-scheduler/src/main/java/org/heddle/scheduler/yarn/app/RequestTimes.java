// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn.app;

import java.util.Arrays;

/**
 * Since when each container of an ask has been requested, as runs of containers of the same time, the oldest first.
 * Beyond {@link #MOST} runs, new containers count with the newest run. Guarded by the scheduler's lock.
 */
public final class RequestTimes {
    private static final int MOST = 16;

    private long[] since = new long[1];
    private long[] containers = new long[1];
    private int runs;
    private long pending;

    /**
     * The number of containers is now this. What comes in addition was requested at that time; what was withdrawn is
     * the newest.
     */
    void set(long count, long atMillis) {
        if (count > pending) {
            if (runs == MOST) {
                containers[runs - 1] += count - pending;
            } else {
                append(count - pending, atMillis);
            }
            pending = count;
        }
        while (pending > count) {
            long withdrawn = Math.min(pending - count, containers[runs - 1]);
            containers[runs - 1] -= withdrawn;
            pending -= withdrawn;
            if (containers[runs - 1] == 0) {
                runs--;
            }
        }
    }

    private void append(long count, long atMillis) {
        if (runs == since.length) {
            since = Arrays.copyOf(since, 2 * runs);
            containers = Arrays.copyOf(containers, 2 * runs);
        }
        since[runs] = atMillis;
        containers[runs++] = count;
    }

    /**
     * One container was allocated for the oldest request.
     *
     * @return how long it was waited for, in milliseconds
     */
    public long served(long nowMillis) {
        if (pending == 0) { // requested so lately that it has not been taken over yet
            return 0;
        }
        long waited = Math.max(0, nowMillis - since[0]);
        pending--;
        if (--containers[0] == 0) {
            runs--;
            System.arraycopy(since, 1, since, 0, runs);
            System.arraycopy(containers, 1, containers, 0, runs);
        }
        return waited;
    }
}
