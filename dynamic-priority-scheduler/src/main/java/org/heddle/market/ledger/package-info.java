// SPDX-License-Identifier: Apache-2.0
/** The running market and its books: double entry, one transaction for each interval, stores. No Hadoop type. */
@NullMarked
package org.heddle.market.ledger;

import org.jspecify.annotations.NullMarked;
