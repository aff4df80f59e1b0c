// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.epoch;

/**
 * The mean lifetime of a queue's recent containers, from its use alone (Little's law): those that ended lived a whole
 * lifetime, those that run half of one on average. The latter is wrong where many began together, as those of a queue
 * that has just come: until as many have ended, each of them counts as half of the longest lifetime of any queue.
 *
 * <p>A lag is repaid by containers, and these stay for a lifetime. A lag that is repaid faster than that is overshot:
 * the queue gets the whole cluster for a lifetime, and then the others do.
 */
final class ContainerLifetime {
    /** Memory, in slots that ended for each slot that is held. */
    private static final double MEMORY = 4;

    private double used;
    private double freed;
    private double largest;

    /** Adds use, in nano-slot-milliseconds. */
    void use(double nanoSlotMillis) {
        used += nanoSlotMillis;
    }

    /** Adds the start or the end of a container, or of several. */
    void change(long beforeNanos, long nowNanos) {
        if (nowNanos < beforeNanos) {
            freed += beforeNanos - nowNanos;
            if (freed > MEMORY * Math.max((double) nowNanos, largest)) {
                used /= 2;
                freed /= 2;
            }
        } else {
            largest = Math.max(largest * 0.99, (double) (nowNanos - beforeNanos));
        }
    }

    /** Nano-slots of lives that it knows. */
    double lives(long heldNanos) {
        return freed + heldNanos / 2.0;
    }

    /** The use in these lives, in nano-slot-milliseconds. */
    double used() {
        return used;
    }

    /**
     * The mean lifetime in milliseconds; 0 if nothing is known.
     *
     * @param longestMillis the longest mean of any queue, which counts as much as one container of this one
     */
    double millis(long heldNanos, long containerNanos, double longestMillis) {
        double unknown = Math.max(0, heldNanos / 2.0 - freed);
        double known = Math.max(used, longestMillis * unknown);
        return (known + longestMillis * containerNanos) / (lives(heldNanos) + containerNanos);
    }

    /** The slot-time of a large container that lives long, in nano-slot-milliseconds. */
    double slotTime(double lifetimeMillis) {
        return largest * lifetimeMillis;
    }
}
