// SPDX-License-Identifier: Apache-2.0
/**
 * What readers get from the ledger and the running epoch: status, price history, forecasts and statements; changes nothing.
 */
@NullMarked
package org.heddle.market.ledger.query;

import org.jspecify.annotations.NullMarked;
