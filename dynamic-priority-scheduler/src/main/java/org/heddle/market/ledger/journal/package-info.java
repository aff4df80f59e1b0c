// SPDX-License-Identifier: Apache-2.0
/**
 * The store in a directory: synced journal files and snapshots. It knows only the state of the ledger and its
 * statements.
 */
@NullMarked
package org.heddle.market.ledger.journal;

import org.jspecify.annotations.NullMarked;
