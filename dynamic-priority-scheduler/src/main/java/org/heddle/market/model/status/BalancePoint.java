// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.model.status;

import java.time.Instant;
import org.heddle.market.model.amount.Credits;

/**
 * A queue's balance after one transaction.
 *
 * @param at wall clock
 * @param balance in the ledger
 */
public record BalancePoint(Instant at, Credits balance) {}
