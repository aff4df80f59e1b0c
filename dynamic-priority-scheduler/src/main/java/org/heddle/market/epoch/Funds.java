// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.epoch;

/**
 * What the books say of one queue.
 *
 * @param balanceNanos nano-credits, 0 or more
 * @param rateNanos the spending rate that it has asked for
 * @param remainder what its last bill carried over, see {@link org.heddle.market.policy.Bill}
 */
public record Funds(long balanceNanos, long rateNanos, long remainder) {
    public static final Funds NONE = new Funds(0, 0, 0);
}
