// SPDX-License-Identifier: Apache-2.0
/**
 * The heddle market command with its subcommands, which are in the packages below by subject. It talks to a market over
 * HTTP, signs its requests, and runs without Hadoop.
 */
@NullMarked
package org.heddle.market.cli;

import org.jspecify.annotations.NullMarked;
