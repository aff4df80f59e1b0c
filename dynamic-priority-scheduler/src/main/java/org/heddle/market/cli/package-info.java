// SPDX-License-Identifier: Apache-2.0
/** The heddle-market command: asks and tells a market over HTTP, signing what it sends. Runs without Hadoop. */
@NullMarked
package org.heddle.market.cli;

import org.jspecify.annotations.NullMarked;
