// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.epoch;

/**
 * The lag of a queue: the slot-time that it should have got in virtual time, less what it got; positive if it is owed
 * something. In nano-slot-milliseconds. It arises because containers are whole, and live on when shares change.
 *
 * <ul>
 *   <li>While a queue asks for more, or holds more than it is entitled to, it competes: its lag grows with virtual time
 *       and shrinks with its use. The lags of all competitors change by zero in sum.
 *   <li>While it is satisfied with less, its lag does not grow; a debt (negative lag) still shrinks by what it leaves
 *   to
 *       others. So nobody owes for ever.
 *   <li>What it took lawfully before others came does not count: what it was due to hold among those that competed, or
 *       everything if it did not pay, less what it is due to hold now. While it holds more than its entitlement by that
 *       alone, its lag does not change: it displaces nobody by it, and earns nothing. This ends with its containers.
 *   <li>The lag is limited on both sides. At a limit a queue does not compete: it takes only what fits nobody else, or
 *       it cannot be placed, and neither must shift the lags of the others.
 * </ul>
 */
final class QueueLag {
    private static final double ROUNDING = 1 + 1e-9;

    private final VirtualTime time;
    private double lag;
    private double limit;
    private double share;
    private double held;
    /** The part of what it holds that does not count. */
    private double covered;
    /** The part that it took while it held less than it was due to hold. */
    private double taken;
    /** What it was due to hold before demands or entitlements changed. */
    private double dueBefore;
    /** What of it is in the sums of the virtual time. */
    private double counted;

    private boolean paying;
    private boolean hungry;
    /** Whether its slots are in the sums of the virtual time. */
    private boolean competes;
    /** Whether its lag changes in both directions; true at a limit, too. */
    private boolean counts;

    private double virtualAt;
    private long clockAt;

    QueueLag(VirtualTime time) {
        this.time = time;
        this.virtualAt = time.virtualMillis();
        this.clockAt = time.atMillis();
    }

    /** Sets what it holds from the present virtual time on, in nano-slots. */
    void setHeld(double nanoSlots) {
        catchUp();
        leave();
        double before = held;
        held = nanoSlots;
        covered = Math.max(0, covered - Math.max(0, before - held));
        join();
        boolean lawful = held > before && (!paying || before < share * time.speed());
        taken = Math.min(held, lawful ? taken + held - before : taken);
    }

    /** Sets whether it asks for more than it has and may have more. */
    void setHungry(boolean asksForMore) {
        catchUp();
        leave();
        hungry = asksForMore;
        join();
    }

    /**
     * Sets what it is entitled to from the present virtual time on. A queue that no longer pays keeps its debt, which
     * shrinks as if it were idle, and loses what it is owed.
     *
     * @param pays whether it pays; else the entitlement is 0 and the last one counts for its debt
     * @param nanoSlots its entitlement
     * @param newLimit of its lag, in nano-slot-milliseconds
     */
    void setShare(boolean pays, double nanoSlots, double newLimit) {
        catchUp();
        leave();
        paying = pays;
        limit = newLimit;
        if (pays) {
            share = nanoSlots;
        } else {
            lag = Math.min(lag, 0);
        }
        lag = Math.max(-limit, Math.min(limit, lag));
        join();
    }

    /** Remembers what it is due to hold, before demands or entitlements change. */
    void beforeChange() {
        dueBefore = paying ? Math.min(taken, share * time.speed()) : taken;
    }

    /**
     * Demands or entitlements have changed since {@link #beforeChange}: what it held lawfully before does not count.
     *
     * @param speed of the virtual time after the change
     */
    void afterChange(double speed) {
        double lawful = dueBefore - share * Math.max(1, speed);
        if (paying && lawful > covered) {
            catchUp();
            leave();
            covered = Math.min(held, lawful);
            join();
        }
    }

    /** Forgets what it is owed. */
    void drop() {
        catchUp();
        lag = Math.min(lag, 0);
    }

    /** After {@link VirtualTime#clearSums}. */
    void joinAgain() {
        catchUp();
        join();
    }

    private void join() {
        counted = held > share ? held - covered : held;
        boolean waits = held > share && counted <= share * ROUNDING;
        counts = paying && (hungry || held > share) && !waits;
        competes = counts && Math.abs(lag) < limit;
        if (competes) {
            time.add(counted, share);
        }
    }

    private void leave() {
        if (competes) {
            time.add(-counted, -share);
            competes = false;
        }
    }

    private void catchUp() {
        lag = now();
        virtualAt = time.virtualMillis();
        clockAt = time.atMillis();
    }

    /** The lag at the present virtual time. */
    double now() {
        double due = share * (time.virtualMillis() - virtualAt);
        long millis = time.atMillis() - clockAt;
        if (counts) {
            return Math.max(-limit, Math.min(limit, lag + due - counted * millis));
        }
        double used = held * millis;
        if (lag < 0) {
            return Math.min(0, lag + Math.max(0, paying ? due - used : due));
        }
        return lag;
    }

    /** Its entitlement in nano-slots, the last one if it does not pay now. */
    double share() {
        return share;
    }
}
