// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.policy;

/**
 * The inputs of one queue for the next epoch.
 *
 * @param queue its name, which breaks ties
 * @param rateNanos nano-credits for one slot and rate unit, 0 or more
 * @param balanceNanos nano-credits, 0 or more
 * @param wants whether it has a running or pending container
 * @param usedNanos nano-slots in use now
 */
public record Bid(String queue, long rateNanos, long balanceNanos, boolean wants, long usedNanos) {
    public Bid {
        if (rateNanos < 0 || balanceNanos < 0 || usedNanos < 0) {
            throw new IllegalArgumentException("queue " + queue + " bids " + rateNanos + " with " + balanceNanos
                    + " in hand and " + usedNanos + " in use; none may be negative");
        }
    }
}
