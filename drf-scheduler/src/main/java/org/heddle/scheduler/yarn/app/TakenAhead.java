// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn.app;

/**
 * How much of a partition an application has been given ahead of heartbeats, in the time in which every node sends one.
 * It may take {@link #PART} of the partition, or one container if that is more; and all that it asks for if that is no
 * more than {@link #SMALL} containers. So the first of many that ask for much within some milliseconds does not hold
 * more than its share, and small asks do not wait. What it held and gave back may be taken again. Guarded by the
 * scheduler's lock.
 */
public final class TakenAhead {
    private static final double PART = 0.02;
    private static final double SMALL = 4;

    /** What rounding leaves. */
    private static final double NOTHING = 1e-9;

    private double taken;
    private double held;
    private long lookedMillis;

    /**
     * Counts what has come with time, and what it held and gave back, until now.
     *
     * @param share of the partition that the next container takes, 0 to 1
     * @param holds the share of the partition that it has now
     * @param heartbeatMillis the time in which every node sends a heartbeat, more than 0
     */
    public void update(double share, double holds, long heartbeatMillis, long nowMillis) {
        double passed = (double) (nowMillis - lookedMillis) / heartbeatMillis;
        double comes = Math.max(PART, SMALL * share) * passed;
        taken = Math.max(0, taken - comes - Math.max(0, held - holds));
        held = holds;
        lookedMillis = nowMillis;
    }

    /**
     * Whether it may take a container now; {@link #update} comes before.
     *
     * @param share of the partition that the container takes, 0 to 1
     * @param pending containers that it asks for, with this one
     */
    public boolean admits(double share, long pending) {
        return taken <= NOTHING
                || taken + share <= PART + NOTHING
                || taken + pending * share <= SMALL * share + NOTHING;
    }

    /** It has been given a container ahead of heartbeats. */
    public void take(double share) {
        taken += share;
        held += share;
    }
}
