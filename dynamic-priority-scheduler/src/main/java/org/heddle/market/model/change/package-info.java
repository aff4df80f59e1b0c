// SPDX-License-Identifier: Apache-2.0
/** Changes of a market: their authors, receipts, records, incomes, statement lines, audit entries and refusals. */
@NullMarked
package org.heddle.market.model.change;

import org.jspecify.annotations.NullMarked;
