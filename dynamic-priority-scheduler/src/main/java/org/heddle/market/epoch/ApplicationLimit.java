// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.epoch;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;

/**
 * Keeps the ledger's records small: of all applications of an epoch, those with the largest charges are recorded one by
 * one, and the others of each queue as one sum.
 */
final class ApplicationLimit {
    /** The sum of other applications has no id, name and user. */
    private static final String OTHERS = "";

    private ApplicationLimit() {}

    /**
     * Merges the small charges of bills, so that all bills together have at most some single applications.
     *
     * @param most the limit; applications with the same charge as the last one within the limit are merged if they come
     *     later
     */
    static List<ClosedEpoch.Line> apply(List<ClosedEpoch.Line> bills, int most) {
        List<ClosedEpoch.ApplicationCharge> all = new ArrayList<>();
        bills.forEach(bill -> all.addAll(bill.applications()));
        if (all.size() <= most) {
            return bills;
        }
        all.sort(Comparator.comparingLong(ClosedEpoch.ApplicationCharge::chargeNanos)
                .reversed());
        Set<ClosedEpoch.ApplicationCharge> single = Collections.newSetFromMap(new IdentityHashMap<>());
        single.addAll(all.subList(0, most));
        List<ClosedEpoch.Line> limited = new ArrayList<>(bills.size());
        for (ClosedEpoch.Line bill : bills) {
            List<ClosedEpoch.ApplicationCharge> kept = new ArrayList<>();
            long slotMillis = 0;
            long nanos = 0;
            for (ClosedEpoch.ApplicationCharge charge : bill.applications()) {
                if (single.contains(charge)) {
                    kept.add(charge);
                } else {
                    slotMillis += charge.slotMillis();
                    nanos += charge.chargeNanos();
                }
            }
            if (nanos > 0) {
                kept.add(new ClosedEpoch.ApplicationCharge(OTHERS, OTHERS, OTHERS, slotMillis, nanos));
            }
            limited.add(bill.with(kept));
        }
        return limited;
    }
}
