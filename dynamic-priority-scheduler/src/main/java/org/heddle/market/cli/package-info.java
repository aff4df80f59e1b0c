// SPDX-License-Identifier: Apache-2.0
/**
 * The heddle market command: talks to a market over HTTP and signs its requests; runs without Hadoop.
 */
@NullMarked
package org.heddle.market.cli;

import org.jspecify.annotations.NullMarked;
