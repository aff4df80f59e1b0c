// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.epoch;

/**
 * The funds of one queue in the ledger.
 *
 * @param balanceNanos nano-credits, 0 or more
 * @param rateNanos its spending rate
 * @param remainder of its last bill, see {@link org.heddle.market.policy.Bill}
 */
public record Funds(long balanceNanos, long rateNanos, long remainder) {
    public static final Funds NONE = new Funds(0, 0, 0);
}
