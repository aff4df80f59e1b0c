// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.model;

import java.time.Instant;

/**
 * A queue's balance after one transaction.
 *
 * @param at wall clock
 * @param balance in the books
 */
public record BalancePoint(Instant at, Credits balance) {}
