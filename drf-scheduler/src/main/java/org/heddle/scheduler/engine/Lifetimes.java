// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.engine;

/**
 * How long containers live, from those that ended lately. One that is met running lives longer than the mean, because
 * long lives are met more often: its expected lifetime is the mean square over the mean. Guarded by the scheduler's
 * lock.
 */
public final class Lifetimes {
    /** What an earlier lifetime still counts after each end: some thousand ends are remembered. */
    private static final double MEMORY = 0.999;

    private double sum;
    private double squares;

    /** Adds the lifetime of a container that ended. */
    public void add(long millis) {
        sum = sum * MEMORY + millis;
        squares = squares * MEMORY + (double) millis * millis;
    }

    /**
     * The expected lifetime of a container that runs, from its start to its end, in milliseconds; 0 if nothing is
     * known.
     */
    public long ofRunningMillis() {
        return sum > 0 ? Math.round(squares / sum) : 0;
    }
}
