// SPDX-License-Identifier: Apache-2.0
/** The data that readers of a market see: status, queues, prices, forecasts, quotes. */
@NullMarked
package org.heddle.market.model.status;

import org.jspecify.annotations.NullMarked;
