// SPDX-License-Identifier: Apache-2.0
/**
 * The terms of a market: policies and intervals, set by its configuration.
 */
@NullMarked
package org.heddle.market.model.terms;

import org.jspecify.annotations.NullMarked;
