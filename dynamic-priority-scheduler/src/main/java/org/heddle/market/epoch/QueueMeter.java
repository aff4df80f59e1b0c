// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.epoch;

import org.heddle.market.model.amount.Slots;
import org.heddle.market.model.status.QueueState;
import org.heddle.market.model.terms.MarketTerms;
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
    private final SlotTime used = new SlotTime();
    private final SlotTime entitled = new SlotTime();
    private final QueueLag lag;
    private final ContainerLifetime lifetime = new ContainerLifetime();
    private final ApplicationMeters applications = new ApplicationMeters();
    /** Nano-slots of the container that started last. */
    private long container = Slots.NANOS;

    private long running;
    private long pending;

    // Set when the epoch begins.
    QueueState state = QueueState.IDLE;
    long rateNanos;
    long weight;
    /** Its mean use in the epoch before, nano-slots. */
    long meanUsed;
    /**
     * Slot-time that it pays for beyond its entitlement because it missed it in earlier epochs, nano-slot-milliseconds.
     */
    private long owed;
    /** Its place in the division; -1 if it was added during the epoch. */
    int index = -1;

    // Used only when an epoch ends.
    long chargedNanos;
    Funds funds = Funds.NONE;

    QueueMeter(String name, VirtualTime time) {
        this.name = name;
        this.meteredMillis = time.atMillis();
        this.lag = new QueueLag(time);
    }

    public String name() {
        return name;
    }

    /** Sets the resources that it holds now; the virtual time must have advanced to now. */
    void setUsage(long nowMillis, long[] nowUsed, SlotScale scale) {
        advance(nowMillis);
        if (usage.length != nowUsed.length) {
            usage = new long[nowUsed.length];
        }
        System.arraycopy(nowUsed, 0, usage, 0, nowUsed.length);
        long before = usedNanos;
        usedNanos = scale.used(usage);
        lifetime.change(before, usedNanos);
        lag.setHeld((double) usedNanos);
        if (usedNanos > before) {
            container = usedNanos - before;
        }
    }

    /** Adapts the meter to a new size of the cluster. */
    void rescaled(long nowMillis, SlotScale scale) {
        advance(nowMillis);
        usedNanos = usage.length == 0 ? 0 : scale.used(usage);
        lag.setHeld((double) usedNanos);
        applications.rescaled(nowMillis, scale);
    }

    /** Sets its entitlement from now on, and the limits that depend on it. */
    void setEntitled(long nanos, double limit) {
        entitledNanos = nanos;
        lag.setShare(state == QueueState.PAYING, (double) nanos, limit);
    }

    /** Measures up to now. A clock that goes back adds nothing. */
    void advance(long nowMillis) {
        long millis = nowMillis - meteredMillis;
        if (millis > 0) {
            used.add(usedNanos, millis);
            entitled.add(entitledNanos, millis);
            lifetime.use((double) usedNanos * millis);
            meteredMillis = nowMillis;
        }
    }

    void begin() {
        used.clear();
        entitled.clear();
        applications.begin();
    }

    ApplicationMeters applications() {
        return applications;
    }

    /** Sets the numbers of its running and pending containers; called when an epoch ends and for pages. */
    public void setDemand(long nowRunning, long nowPending) {
        setDemand(nowRunning, nowPending, true);
    }

    /** The same; with false, limits forbid it everything that it asks for, so it competes with nobody. */
    void setDemand(long nowRunning, long nowPending, boolean mayHoldMore) {
        running = nowRunning;
        pending = nowPending;
        lag.setHungry(nowPending > 0 && mayHoldMore);
    }

    public boolean wants() {
        return running > 0 || pending > 0;
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

    /** What it pays for: its use, up to its entitlement and what it is owed from earlier epochs. */
    SlotTime dueTime() {
        SlotTime due = entitled.copy();
        due.add(owed, 1);
        return due.compareTo(used) < 0 ? due : used.copy();
    }

    /**
     * At the end of an epoch, adds what the queue missed to what it is owed, or takes off what it got beyond its
     * entitlement. A queue that asks for no more is owed no more; one that is idle is owed nothing.
     */
    void carryOwed(double limit) {
        if (state != QueueState.PAYING || !wants()) {
            owed = 0;
            lag.drop();
            return;
        }
        long had = WideMath.saturatedAdd(owed, entitled.nanoSlotMillis());
        long left = Math.max(0, had - used.nanoSlotMillis());
        owed = Math.min(pending > 0 ? left : Math.min(owed, left), (long) limit);
        if (pending == 0) {
            lag.drop();
        }
    }

    QueueLag lag() {
        return lag;
    }

    ContainerLifetime lifetime() {
        return lifetime;
    }

    /**
     * The mean lifetime of its containers in milliseconds.
     *
     * @param longestMillis the longest mean of any queue
     */
    double lifetimeMillis(double longestMillis) {
        return lifetime.millis(usedNanos, container, longestMillis);
    }

    /** Nano-slots of the container that started last; one slot before the first one. */
    long container() {
        return container;
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
     * The limit of its lag and of what it is owed, in nano-slot-milliseconds: some intervals of its entitlement, or of
     * one slot if that is more, but not less than three of its containers.
     */
    double limit(MarketTerms terms, long entitlement, double longestMillis) {
        if (!terms.keepsDeficits()) {
            return 0;
        }
        double perInterval = (double) Math.max(entitlement, Slots.NANOS) * terms.intervalMillis();
        return Math.max(
                perInterval * terms.maxDeficitIntervals(), 3 * lifetime.slotTime(lifetimeMillis(longestMillis)));
    }
}
