// SPDX-License-Identifier: Apache-2.0
/**
 * The callers of requests: roles from access lists, and API keys and vouchers in the ledger. Signatures themselves are
 * in {@code market.security}.
 */
@NullMarked
package org.heddle.market.http.auth;

import org.jspecify.annotations.NullMarked;
