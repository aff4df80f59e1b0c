// SPDX-License-Identifier: Apache-2.0
/**
 * What a reader may see of a market: status, queues, prices, forecasts, quotes.
 */
@NullMarked
package org.heddle.market.model.status;

import org.jspecify.annotations.NullMarked;
