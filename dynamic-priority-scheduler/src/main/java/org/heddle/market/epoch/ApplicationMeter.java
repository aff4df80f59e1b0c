// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.epoch;

import org.heddle.market.policy.SlotScale;
import org.heddle.market.policy.SlotTime;

/**
 * The use of one application in the running epoch, by which the bill of its queue is divided. Each start and end of a
 * container calls it, so it does primitive arithmetic only. Guarded by the scheduler's lock.
 */
final class ApplicationMeter {
    private final String id;
    private final String name;
    private final String user;
    private final SlotTime used = new SlotTime();
    private long[] usage = new long[0];
    private long usedNanos;
    private long meteredMillis;
    private boolean ended;

    /** @param nowMillis from when on it is measured, monotonic clock */
    ApplicationMeter(String id, String name, String user, long nowMillis) {
        this.id = id;
        this.name = name;
        this.user = user;
        this.meteredMillis = nowMillis;
    }

    /** Sets the resources that it holds now. */
    void setUsage(long nowMillis, long[] nowUsed, SlotScale scale) {
        advance(nowMillis);
        if (usage.length != nowUsed.length) {
            usage = new long[nowUsed.length];
        }
        System.arraycopy(nowUsed, 0, usage, 0, nowUsed.length);
        usedNanos = scale.used(usage);
    }

    /** Adapts the meter to a new size of the cluster. */
    void rescaled(long nowMillis, SlotScale scale) {
        advance(nowMillis);
        usedNanos = usage.length == 0 ? 0 : scale.used(usage);
    }

    /** Measures up to now. A clock that goes back adds nothing. */
    void advance(long nowMillis) {
        long millis = nowMillis - meteredMillis;
        if (millis > 0) {
            used.add(usedNanos, millis);
            meteredMillis = nowMillis;
        }
    }

    /** It has left the queue; what it used in this epoch still counts. */
    void end() {
        ended = true;
    }

    boolean isEnded() {
        return ended;
    }

    void begin() {
        used.clear();
    }

    SlotTime used() {
        return used;
    }

    ClosedEpoch.ApplicationCharge charge(long nanos) {
        return new ClosedEpoch.ApplicationCharge(id, name, user, used.slotMillis(), nanos);
    }
}
