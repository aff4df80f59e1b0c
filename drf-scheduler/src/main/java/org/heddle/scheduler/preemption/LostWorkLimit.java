// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.preemption;

import org.heddle.scheduler.model.WorkProtection;

/**
 * Limits the work that preemption loses to a part of the work that is done. A credit grows with all work, up to the
 * credit of {@value #WINDOW_MILLIS} milliseconds of the whole cluster, with which it begins. A preemption needs as much
 * credit as it loses, and none if it loses nothing. When the credit is full, one preemption may exceed it; then nothing
 * may be preempted until the debt is earned back. Work is in milliseconds of the whole cluster.
 */
public final class LostWorkLimit {
    static final long WINDOW_MILLIS = 1_200_000;

    private double part = 1;
    private double credit;
    private double most = -1;
    private long lastMillis;

    /**
     * Earns credit for the time since the last call.
     *
     * @param maxLost the part of all work that may be lost, above 0 and up to 1; 1 for no limit
     * @param used the part of the cluster that was in use, 0 to 1
     */
    public void earn(double maxLost, double used, long nowMillis) {
        part = maxLost;
        double before = most;
        most = maxLost >= 1 ? Double.POSITIVE_INFINITY : maxLost * WINDOW_MILLIS;
        if (before < 0) {
            credit = most;
        } else if (nowMillis > lastMillis) {
            credit = Math.min(most, credit + maxLost * used * (nowMillis - lastMillis));
        }
        lastMillis = nowMillis;
    }

    /**
     * Whether a preemption may lose so much.
     *
     * @param pending what pending preemptions will lose
     */
    public boolean allows(double lost, double pending) {
        return lost <= 0 || Double.isInfinite(most) || lost <= credit - pending || (pending == 0 && credit >= most);
    }

    /** Subtracts what a preemption has lost. */
    public void lose(double lost) {
        credit -= lost;
    }

    /**
     * The work that may be lost now.
     *
     * @param waiting the number of applications whose preemption would lose more
     * @param needed what the preemption for the first of these would lose; 0 if none waits
     */
    public WorkProtection.Credit credit(int waiting, double needed) {
        if (most < 0 || Double.isInfinite(most)) {
            return WorkProtection.Credit.UNLIMITED;
        }
        return new WorkProtection.Credit(part, credit, most, waiting, needed);
    }
}
