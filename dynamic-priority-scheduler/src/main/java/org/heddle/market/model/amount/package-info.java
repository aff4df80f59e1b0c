// SPDX-License-Identifier: Apache-2.0
/**
 * Exact amounts: credits, rates, slots, shares and their decimals.
 */
@NullMarked
package org.heddle.market.model.amount;

import org.jspecify.annotations.NullMarked;
