// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.policy;

/**
 * What counts of one queue at the boundary between two epochs.
 *
 * @param queue its name, by which ties are broken
 * @param rateNanos nano-credits for one slot and rate unit, 0 or more
 * @param balanceNanos nano-credits, 0 or more
 * @param wants it holds or waits for at least one container
 * @param usedNanos nano-slots that it uses now
 */
public record Bid(String queue, long rateNanos, long balanceNanos, boolean wants, long usedNanos) {
    public Bid {
        if (rateNanos < 0 || balanceNanos < 0 || usedNanos < 0) {
            throw new IllegalArgumentException("queue " + queue + " bids " + rateNanos + " with " + balanceNanos
                    + " in hand and " + usedNanos + " in use; none may be negative");
        }
    }
}
