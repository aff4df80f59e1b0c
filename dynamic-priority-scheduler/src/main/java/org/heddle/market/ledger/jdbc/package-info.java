// SPDX-License-Identifier: Apache-2.0
/**
 * The store in a SQL database: tables, rows, migration, retention. It knows only the state of the ledger and its
 * statements.
 */
@NullMarked
package org.heddle.market.ledger.jdbc;

import org.jspecify.annotations.NullMarked;
