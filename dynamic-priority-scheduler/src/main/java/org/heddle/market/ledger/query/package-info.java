// SPDX-License-Identifier: Apache-2.0
/**
 * Answers for readers from the ledger and the running epoch: status, price history, forecasts and statements. It
 * changes nothing.
 */
@NullMarked
package org.heddle.market.ledger.query;

import org.jspecify.annotations.NullMarked;
