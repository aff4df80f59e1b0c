// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.epoch;

/**
 * The virtual time of the queues that compete for slots. While they together hold as many slots as they are entitled
 * to, it runs like the clock; while a part of these slots stays unused, or others hold them, it runs slower by this
 * part. A queue that gets its share therefore gets {@code entitlement x virtual time}, whatever the cluster loses
 * between two containers (fair queueing; Stoica and Abdel-Wahab, "Earliest Eligible Virtual Deadline First", 1995).
 *
 * <p>Without competitors it runs like the clock, so that idle queues get rid of their debts.
 */
final class VirtualTime {
    private double held;
    private double entitled;
    private double virtualMillis;
    private long atMillis;

    VirtualTime(long nowMillis) {
        atMillis = nowMillis;
    }

    /** Moves on to a time of the clock. A clock that goes back changes nothing. */
    void advance(long nowMillis) {
        if (nowMillis > atMillis) {
            virtualMillis += speed() * (nowMillis - atMillis);
            atMillis = nowMillis;
        }
    }

    double speed() {
        return entitled > 0 ? held / entitled : 1;
    }

    /** Adds a competitor, or more of its slots; negative numbers subtract. */
    void add(double moreHeld, double moreEntitled) {
        held = Math.max(0, held + moreHeld);
        entitled = Math.max(0, entitled + moreEntitled);
    }

    /** Starts the sums anew, so that rounding errors do not add up. */
    void clearSums() {
        held = 0;
        entitled = 0;
    }

    double virtualMillis() {
        return virtualMillis;
    }

    long atMillis() {
        return atMillis;
    }
}
