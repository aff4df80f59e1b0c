// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.epoch;

import org.heddle.market.model.amount.Slots;
import org.heddle.market.model.status.QueueState;
import org.heddle.market.model.terms.MarketTerms;
import org.heddle.market.model.terms.Metering;
import org.heddle.market.policy.SlotScale;
import org.heddle.market.policy.SlotTime;
import org.heddle.market.policy.WideMath;

/**
 * One queue during the running epoch. Called by every start and end of a container: primitive arithmetic only. Guarded by
 * the scheduler's lock.
 */
public final class QueueMeter {
    private final String name;
    private long[] usage = new long[0];
    private long usedNanos;
    private long entitledNanos;
    private long meteredMillis;
    /** All that it used, what of that was within its entitlement, and what it was entitled to. */
    private final SlotTime used = new SlotTime();

    private final SlotTime within = new SlotTime();
    private final SlotTime entitled = new SlotTime();
    /** Nano-slots that it gave back. */
    private long freed;

    private long running;
    private long pending;

    // Frozen at the boundary.
    QueueState state = QueueState.IDLE;
    long rateNanos;
    long weight;
    /** Mean nano-slots that it used in the epoch before. */
    long meanUsed;
    /** Nano-slot-milliseconds that it is owed, or owes if negative; see {@link Deficit}. */
    long carry;
    /** Its place in the division; -1 if it came after the boundary. */
    int index = -1;

    // Of use at the boundary only.
    long repaid;
    long chargedNanos;
    Funds purse = Funds.NONE;

    QueueMeter(String name, long nowMillis) {
        this.name = name;
        this.meteredMillis = nowMillis;
    }

    public String name() {
        return name;
    }

    /** What it holds has changed. */
    void used(long nowMillis, long[] nowUsed, SlotScale scale) {
        advance(nowMillis);
        if (usage.length != nowUsed.length) {
            usage = new long[nowUsed.length];
        }
        System.arraycopy(nowUsed, 0, usage, 0, nowUsed.length);
        long before = usedNanos;
        usedNanos = scale.used(usage);
        freed += Math.max(0, before - usedNanos);
    }

    /** The cluster has changed. */
    void rescaled(long nowMillis, SlotScale scale, long nowEntitled) {
        advance(nowMillis);
        usedNanos = usage.length == 0 ? 0 : scale.used(usage);
        entitledNanos = nowEntitled;
    }

    void entitled(long nanos) {
        entitledNanos = nanos;
    }

    /** Meters up to now. A clock that goes back counts for nothing. */
    void advance(long nowMillis) {
        long millis = nowMillis - meteredMillis;
        if (millis > 0) {
            used.add(usedNanos, millis);
            within.add(Math.min(usedNanos, entitledNanos), millis);
            entitled.add(entitledNanos, millis);
            meteredMillis = nowMillis;
        }
    }

    /** What is used now counts for the whole epoch. */
    void sample(long epochMillis) {
        used.clear();
        used.add(usedNanos, epochMillis);
        within.clear();
        within.add(Math.min(usedNanos, entitledNanos), epochMillis);
    }

    void begin() {
        used.clear();
        within.clear();
        entitled.clear();
        freed = 0;
    }

    /** How many containers it holds and waits for; asked for at boundaries and by pages. */
    public void demand(long nowRunning, long nowPending) {
        running = nowRunning;
        pending = nowPending;
    }

    public boolean wants() {
        return running > 0 || pending > 0;
    }

    boolean isHungry() {
        return pending > 0;
    }

    public long running() {
        return running;
    }

    public long pending() {
        return pending;
    }

    SlotTime usedTime() {
        return used;
    }

    SlotTime withinTime() {
        return within;
    }

    SlotTime entitledTime() {
        return entitled;
    }

    /** Nano-slots that it has given back in this epoch. */
    long freed() {
        return freed;
    }

    /** Nano-slots in use now. */
    public long usedNanos() {
        return usedNanos;
    }

    /** Nano-slots that it is entitled to now. */
    public long entitledNanos() {
        return entitledNanos;
    }

    public QueueState state() {
        return state;
    }

    /** The rate at which it pays in this epoch; 0 if it does not. */
    public long payingRateNanos() {
        return state == QueueState.PAYING ? rateNanos : 0;
    }

    public long carryNanoSlotMillis() {
        return carry;
    }

    /** Most that it may be owed or owe: so many intervals of its entitlement, or of one slot if that is more. */
    long carryLimit(MarketTerms terms) {
        long perInterval = Math.max(entitledNanos, Slots.NANOS);
        return terms.metering() == Metering.SAMPLE
                ? 0
                : WideMath.saturatedMultiply(
                        perInterval, WideMath.saturatedMultiply(terms.intervalMillis(), terms.carryIntervals()));
    }
}
