// SPDX-License-Identifier: Apache-2.0
/**
 * Who is asking, and what they may: request signatures (RFC 9421), keys, replays, rate limits, roles. No Hadoop type, no
 * servlet; time is an argument.
 */
@NullMarked
package org.heddle.market.security;

import org.jspecify.annotations.NullMarked;
