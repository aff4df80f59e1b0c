// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.model.change;

import org.heddle.market.model.amount.Credits;
import org.heddle.market.model.amount.SpendingRate;

/**
 * One account of an import.
 *
 * @param queue its name; the import opens an account that does not exist
 * @param budget credits to pay in, 0 or more
 * @param rate its new spending rate
 */
public record AccountImport(String queue, Credits budget, SpendingRate rate) {}
