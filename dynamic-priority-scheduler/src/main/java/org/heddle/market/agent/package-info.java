// SPDX-License-Identifier: Apache-2.0
/**
 * Agents that set an account's rate for its user: decisions as pure functions of what was observed, and the loop that
 * carries them out through {@link org.heddle.market.agent.MarketAccess} and {@link
 * org.heddle.market.agent.ProgressSource}. No Hadoop type, no REST, and the clock is an argument.
 */
@NullMarked
package org.heddle.market.agent;

import org.jspecify.annotations.NullMarked;
