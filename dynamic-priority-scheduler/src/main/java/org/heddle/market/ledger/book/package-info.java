// SPDX-License-Identifier: Apache-2.0
/**
 * The state of the ledger, its transactions with their binary form, and the interface of a store; no file, no database,
 * no thread. Only {@code market.ledger} uses it.
 */
@NullMarked
package org.heddle.market.ledger.book;

import org.jspecify.annotations.NullMarked;
