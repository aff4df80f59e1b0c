// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.preemption;

/**
 * Bounds how much is preempted per second. Whatever is taken may run into debt by one taking, and nothing is to be
 * taken until that is made up for; so over any time t no more is taken than {@code perSecond * (t + 1 s)} and one
 * taking.
 */
public final class RateLimit {
    private double available;
    private long lastMillis = Long.MIN_VALUE;

    /**
     * Whether something may be taken now.
     *
     * @param perSecond what is earned each second, and the most that is saved up
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

    /** Takes so much. */
    public void take(double amount) {
        available -= amount;
    }
}
