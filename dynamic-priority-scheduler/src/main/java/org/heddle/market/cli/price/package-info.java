// SPDX-License-Identifier: Apache-2.0
/** The commands that show the price, quote a job and watch the market. */
@NullMarked
package org.heddle.market.cli.price;

import org.jspecify.annotations.NullMarked;
