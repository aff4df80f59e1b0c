// SPDX-License-Identifier: Apache-2.0
/** Plain values of the market: money, rates, slots, accounts, epochs, what may be asked of it. No Hadoop type. */
@NullMarked
package org.heddle.market.model;

import org.jspecify.annotations.NullMarked;
