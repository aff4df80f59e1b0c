// SPDX-License-Identifier: Apache-2.0
/**
 * Authentication and permissions of callers: request signatures (RFC 9421), keys, replays, rate limits, roles,
 * vouchers. No Hadoop type, no servlet; time is an argument.
 */
@NullMarked
package org.heddle.market.security;

import org.jspecify.annotations.NullMarked;
