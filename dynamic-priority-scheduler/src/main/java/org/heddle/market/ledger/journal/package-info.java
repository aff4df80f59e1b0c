// SPDX-License-Identifier: Apache-2.0
/**
 * The store in a directory: synced journal segments and snapshots; knows only the book and its statements.
 */
@NullMarked
package org.heddle.market.ledger.journal;

import org.jspecify.annotations.NullMarked;
