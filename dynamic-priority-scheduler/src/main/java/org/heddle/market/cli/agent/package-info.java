// SPDX-License-Identifier: Apache-2.0
/** Agents that set rates as a command or inside a Java program, and their access to the market over REST. */
@NullMarked
package org.heddle.market.cli.agent;

import org.jspecify.annotations.NullMarked;
