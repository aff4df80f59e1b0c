// SPDX-License-Identifier: Apache-2.0
/**
 * The DRF scheduler with queue weights from a market, in which users have budgets and set spending rates (Sandholm and
 * Lai, Dynamic Proportional Share Scheduling in Hadoop, 2010).
 */
@NullMarked
package org.heddle.market;

import org.jspecify.annotations.NullMarked;
