// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn.placement;

/**
 * What may be placed in a partition ahead of the heartbeats of its nodes: a token bucket. A small request is served in
 * its own call; of a large one the rest waits for heartbeats, which divide what is free among all that ask by then. So
 * two that ask for the whole cluster one shortly after the other end with equal shares. The bucket holds {@link #PART}
 * of the partition, and {@link #CONTAINERS} of the containers that are being placed if these are larger, but no more
 * than {@link #MOST}. It fills up in the time in which every node sends a heartbeat, and with containers that end: what
 * was held already may be taken at once. Guarded by the scheduler's lock.
 */
final class HeadStart {
    private static final double PART = 0.05;
    private static final double CONTAINERS = 4;
    private static final double MOST = 0.25;

    /** What rounding leaves of a bucket that has been used up. */
    private static final double NOTHING = 1e-9;

    private final long heartbeatMillis;
    private double level = 1;
    private long filledMillis;

    /** @param heartbeatMillis the time in which every node sends a heartbeat, more than 0 */
    HeadStart(long heartbeatMillis, long nowMillis) {
        this.heartbeatMillis = heartbeatMillis;
        this.filledMillis = nowMillis;
    }

    /** Adds what has come with time. */
    void fill(long nowMillis) {
        add((double) (nowMillis - filledMillis) / heartbeatMillis);
        filledMillis = nowMillis;
    }

    /**
     * Whether another container may be placed. The last one may be larger than what is left: the bucket then owes it.
     */
    boolean isOpen() {
        return level > NOTHING;
    }

    /** @param share of the partition's scarcest resource that the container takes, 0 to 1 */
    void take(double share) {
        level -= cost(share);
    }

    /** @param share of the partition's resources that has become free, 0 to 1 */
    void giveBack(double share) {
        add(cost(share));
    }

    private void add(double more) {
        level = Math.min(1, level + more);
    }

    /** The part of a full bucket. */
    private static double cost(double share) {
        return share / Math.min(MOST, Math.max(PART, CONTAINERS * share));
    }
}
