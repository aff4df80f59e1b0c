// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.policy;

import org.heddle.market.model.amount.Slots;

/**
 * Turns amounts of resources into slots. With C the cluster, S the standard slot and U what a queue holds, per resource
 * r: the cluster has {@code c = min_r C_r / S_r} slots, and the queue uses {@code u = D * c} of them, where {@code D =
 * max_r U_r / C_r} is its dominant share (Ghodsi et al., NSDI 2011). One standard container is one slot where the
 * resource that binds is concerned; a container that takes twice as much of it is two.
 *
 * <p>In nano-slots, rounded down. A resource of which the cluster has as many slots as of the binding one is divided by
 * S itself, so that whole containers are whole slots whatever the cluster's size.
 */
public final class SlotScale {
    /** An empty cluster. */
    public static final SlotScale EMPTY = new SlotScale(new long[0], new long[0]);

    private final long[] capacity;
    private final long[] standard;
    /** Whether the cluster has as many slots of this resource as of the scarcest one. */
    private final boolean[] binds;

    private final long slots;

    /**
     * @param capacity of the cluster, per resource
     * @param standard the standard slot, per resource; 0 if a slot needs none of it, and the resource does not count
     */
    public SlotScale(long[] capacity, long[] standard) {
        this.capacity = capacity.clone();
        this.standard = standard.clone();
        this.binds = new boolean[capacity.length];
        int tightest = -1;
        for (int j = 0; j < capacity.length; j++) {
            if (standard[j] > 0 && (tightest < 0 || fewer(j, tightest) < 0)) {
                tightest = j;
            }
        }
        this.slots = tightest < 0 ? 0 : WideMath.mulDiv(capacity[tightest], Slots.NANOS, standard[tightest]);
        for (int j = 0; j < capacity.length; j++) {
            binds[j] = tightest >= 0 && standard[j] > 0 && fewer(j, tightest) == 0;
        }
    }

    /** Compares the slots of two resources exactly: C_j / S_j with C_k / S_k. */
    private int fewer(int j, int k) {
        long high = Math.multiplyHigh(capacity[j], standard[k]) - Math.multiplyHigh(capacity[k], standard[j]);
        if (high != 0) {
            return Long.signum(high);
        }
        return Long.compareUnsigned(capacity[j] * standard[k], capacity[k] * standard[j]);
    }

    /** Nano-slots of the cluster. */
    public long slots() {
        return slots;
    }

    /** Nano-slots of a usage, per resource. */
    public long used(long[] usage) {
        long most = 0;
        for (int j = 0; j < capacity.length; j++) {
            if (usage[j] > 0 && capacity[j] > 0 && standard[j] > 0) {
                long part;
                if (binds[j]) {
                    part = WideMath.mulDiv(usage[j], Slots.NANOS, standard[j]);
                } else {
                    part = WideMath.mulDiv(usage[j], slots, capacity[j]);
                }
                most = Math.max(most, part);
            }
        }
        return most;
    }
}
