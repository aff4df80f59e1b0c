// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.model.change;

import java.time.Instant;
import org.heddle.market.model.amount.Credits;

/**
 * The receipt of a stored change.
 *
 * @param sequence its number in the audit
 * @param at its time, wall clock
 * @param effectiveEpoch the first epoch to which it applies
 * @param balance the queue's balance after it; zero if it concerns no queue
 * @param repeated whether the same request was made before, so that nothing was changed now
 */
public record Receipt(long sequence, Instant at, long effectiveEpoch, Credits balance, boolean repeated) {}
