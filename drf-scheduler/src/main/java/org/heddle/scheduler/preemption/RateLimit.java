// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.preemption;

/**
 * Bounds the amount preempted per second. One preemption may exceed the credit; then nothing may be preempted for a
 * second, however large it was: else a small cluster would wait many seconds for each container.
 */
public final class RateLimit {
    private double available;
    private double mostDebt;
    private long lastMillis = Long.MIN_VALUE;

    /**
     * Whether a preemption is allowed now.
     *
     * @param perSecond credit earned each second, and the largest credit
     */
    public boolean allows(double perSecond, long nowMillis) {
        if (lastMillis == Long.MIN_VALUE) {
            available = perSecond;
        } else if (nowMillis > lastMillis) {
            available = Math.min(perSecond, available + perSecond * (nowMillis - lastMillis) / 1000);
        }
        lastMillis = nowMillis;
        mostDebt = perSecond;
        return available > 0;
    }

    /** Subtracts the amount of a preemption. */
    public void take(double amount) {
        available = Math.max(-mostDebt, available - amount);
    }
}
