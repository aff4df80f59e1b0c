// SPDX-License-Identifier: Apache-2.0
/**
 * The store in a SQL database: tables, rows, retention; knows only the book and its statements.
 */
@NullMarked
package org.heddle.market.ledger.jdbc;

import org.jspecify.annotations.NullMarked;
