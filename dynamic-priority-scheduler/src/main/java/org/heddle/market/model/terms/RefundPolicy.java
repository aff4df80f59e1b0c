// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.model.terms;

/** Which containers that the cluster ended cost nothing. */
public enum RefundPolicy {
    NONE,
    /** On nodes that were lost, or whose disks failed. */
    LOST,
    PREEMPTED,
    /** Lost and preempted ones. */
    ALL;

    public boolean covers(boolean preempted) {
        return this == ALL || this == (preempted ? PREEMPTED : LOST);
    }
}
