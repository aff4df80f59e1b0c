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
 * The meter of one queue in the running epoch. Each start and end of a container calls it, so it does primitive
 * arithmetic only. Guarded by the scheduler's lock.
 */
public final class QueueMeter {
    private final String name;
    private long[] usage = new long[0];
    private long usedNanos;
    private long entitledNanos;
    private long meteredMillis;
    /** Its use, the part of it within its entitlement, and its entitlement. */
    private final SlotTime used = new SlotTime();

    private final SlotTime within = new SlotTime();
    private final SlotTime entitled = new SlotTime();
    /** Nano-slots that it released. */
    private long freed;

    private long running;
    private long pending;

    // Set when the epoch begins.
    QueueState state = QueueState.IDLE;
    long rateNanos;
    long weight;
    /** Its mean use in the epoch before, nano-slots. */
    long meanUsed;
    /** Its deficit in nano-slot-milliseconds, negative for a surplus; see {@link Deficit}. */
    long deficit;
    /** Its place in the division; -1 if it was added during the epoch. */
    int index = -1;

    // Used only when an epoch ends.
    long repaid;
    long chargedNanos;
    Funds funds = Funds.NONE;

    QueueMeter(String name, long nowMillis) {
        this.name = name;
        this.meteredMillis = nowMillis;
    }

    public String name() {
        return name;
    }

    /** Sets the resources that it holds now. */
    void setUsage(long nowMillis, long[] nowUsed, SlotScale scale) {
        advance(nowMillis);
        if (usage.length != nowUsed.length) {
            usage = new long[nowUsed.length];
        }
        System.arraycopy(nowUsed, 0, usage, 0, nowUsed.length);
        long before = usedNanos;
        usedNanos = scale.used(usage);
        freed += Math.max(0, before - usedNanos);
    }

    /** Adapts the meter to a new size of the cluster. */
    void rescaled(long nowMillis, SlotScale scale, long nowEntitled) {
        advance(nowMillis);
        usedNanos = usage.length == 0 ? 0 : scale.used(usage);
        entitledNanos = nowEntitled;
    }

    void setEntitled(long nanos) {
        entitledNanos = nanos;
    }

    /** Measures up to now. A clock that goes back adds nothing. */
    void advance(long nowMillis) {
        long millis = nowMillis - meteredMillis;
        if (millis > 0) {
            used.add(usedNanos, millis);
            within.add(Math.min(usedNanos, entitledNanos), millis);
            entitled.add(entitledNanos, millis);
            meteredMillis = nowMillis;
        }
    }

    /** Counts the current use for the whole epoch. */
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

    /** Sets the numbers of its running and pending containers; called when an epoch ends and for pages. */
    public void setDemand(long nowRunning, long nowPending) {
        running = nowRunning;
        pending = nowPending;
    }

    public boolean wants() {
        return running > 0 || pending > 0;
    }

    boolean hasPending() {
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

    /** Nano-slots that it released in this epoch. */
    long freed() {
        return freed;
    }

    /** Nano-slots in use now. */
    public long usedNanos() {
        return usedNanos;
    }

    /** Its current entitlement in nano-slots. */
    public long entitledNanos() {
        return entitledNanos;
    }

    public QueueState state() {
        return state;
    }

    /**
     * The limit of its deficit and of its surplus: some intervals of its entitlement, or of one slot if that is more.
     */
    long deficitLimit(MarketTerms terms) {
        long perInterval = Math.max(entitledNanos, Slots.NANOS);
        return terms.metering() == Metering.SAMPLE
                ? 0
                : WideMath.saturatedMultiply(
                        perInterval, WideMath.saturatedMultiply(terms.intervalMillis(), terms.maxDeficitIntervals()));
    }
}
