// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.model.status;

import java.time.Instant;
import org.heddle.market.model.amount.SpendingRate;

/**
 * The expected price at a future time.
 *
 * @param at the time
 * @param low one in ten is lower
 * @param middle the median
 * @param high one in ten is higher
 */
public record ForecastPoint(Instant at, SpendingRate low, SpendingRate middle, SpendingRate high) {}
