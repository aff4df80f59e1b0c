// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.preemption;

/**
 * Bounds the amount preempted per second. One preemption may exceed the credit; then nothing may be preempted until the
 * debt is earned back. So in any time t at most {@code perSecond * (t + 1 s)} plus one preemption is preempted.
 */
public final class RateLimit {
    private double available;
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
        return available > 0;
    }

    /** Subtracts the amount of a preemption. */
    public void take(double amount) {
        available -= amount;
    }
}
