// SPDX-License-Identifier: Apache-2.0
/** The market's arithmetic: slots, price, entitlement, charge, income. Pure: no Hadoop type, no clock, no store. */
@NullMarked
package org.heddle.market.policy;

import org.jspecify.annotations.NullMarked;
