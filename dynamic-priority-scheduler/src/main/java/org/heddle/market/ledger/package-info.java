// SPDX-License-Identifier: Apache-2.0
/**
 * The running market over its ledger: operations, incomes, epochs, and the one thread that writes; no Hadoop type, no
 * HTTP.
 */
@NullMarked
package org.heddle.market.ledger;

import org.jspecify.annotations.NullMarked;
