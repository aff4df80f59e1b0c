// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.epoch;

/**
 * The lag of a queue: the slot-time that it should have got in virtual time, less what it got; positive if it is owed
 * something. In nano-slot-milliseconds. It arises because containers are whole, and live on when shares change.
 *
 * <ul>
 *   <li>While a queue asks for more, or holds more than it is entitled to, it competes: its lag grows with virtual time
 *       and shrinks with its use. The lags of all competitors change by zero in sum.
 *   <li>While it is satisfied with less, its lag does not grow; a debt (negative lag) still shrinks by what it leaves to
 *       others. So nobody owes for ever.
 *   <li>The lag is limited on both sides. At a limit a queue does not compete: it takes only what fits nobody else, or
 *       it cannot be placed, and neither must shift the lags of the others.
 * </ul>
 */
final class QueueLag {
    private final VirtualTime time;
    private double lag;
    private double limit;
    private double share;
    private double held;
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
        held = nanoSlots;
        join();
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
        counts = paying && (hungry || held > share);
        competes = counts && Math.abs(lag) < limit;
        if (competes) {
            time.add(held, share);
        }
    }

    private void leave() {
        if (competes) {
            time.add(-held, -share);
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
        double used = held * (time.atMillis() - clockAt);
        if (counts) {
            return Math.max(-limit, Math.min(limit, lag + due - used));
        }
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
