// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.model.change;

import java.time.Instant;
import org.heddle.market.model.amount.Credits;

/**
 * Proof that a change is stored.
 *
 * @param sequence its number in the audit
 * @param at when it was made, wall clock
 * @param effectiveEpoch the first epoch in which it counts
 * @param balance the queue's balance after it; zero where no queue was concerned
 * @param repeated the same request had been made before, and nothing was changed now
 */
public record Receipt(long sequence, Instant at, long effectiveEpoch, Credits balance, boolean repeated) {}
