// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.policy;

import java.util.Arrays;
import java.util.List;
import org.heddle.market.model.amount.Slots;

/**
 * Entitlements in whole slots that add up to the cluster: each entitlement is rounded down, and the remaining slots go
 * to the largest remainders, ties by name (Hamilton's method). Rounding each entitlement alone, as the code of 2009
 * did, can lose slots or give too many.
 */
public final class WholeSlots {
    private WholeSlots() {}

    /**
     * Whole slots of each queue.
     *
     * @param queues their names
     * @param division of the cluster
     * @param capacity nano-slots of the cluster now
     */
    public static long[] of(List<String> queues, Division division, long capacity) {
        int n = queues.size();
        long[] whole = new long[n];
        long[] rest = new long[n];
        long total = 0;
        long handedOut = 0;
        Integer[] order = new Integer[n];
        for (int i = 0; i < n; i++) {
            order[i] = i;
            long entitled = division.entitled(i, capacity);
            total += entitled;
            whole[i] = entitled / Slots.NANOS;
            rest[i] = entitled % Slots.NANOS;
            handedOut += whole[i];
        }
        // An entitlement is rounded down to a nano-slot; that must not cost a whole slot.
        long left = Math.min(capacity, total + n) / Slots.NANOS - handedOut;
        Arrays.sort(order, (a, b) -> {
            int byRest = Long.compare(rest[b], rest[a]);
            return byRest != 0 ? byRest : queues.get(a).compareTo(queues.get(b));
        });
        for (int k = 0; k < n && left > 0; k++) {
            if (rest[order[k]] > 0) {
                whole[order[k]]++;
                left--;
            }
        }
        return whole;
    }
}
