// SPDX-License-Identifier: Apache-2.0
/**
 * Nothing here yet. To come: the DRF engine with weights that follow a market, in which users hold
 * budgets and set spending rates (Sandholm and Lai, Dynamic Proportional Share Scheduling in Hadoop,
 * 2010). Packages planned: {@code model}, {@code policy}, {@code ledger}, {@code yarn}, {@code http},
 * {@code cli}.
 */
@NullMarked
package org.heddle.market;

import org.jspecify.annotations.NullMarked;
