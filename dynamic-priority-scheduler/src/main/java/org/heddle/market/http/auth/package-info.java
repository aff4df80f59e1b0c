// SPDX-License-Identifier: Apache-2.0
/**
 * The caller of a request: roles from access lists, and API keys and vouchers in the ledger; signatures themselves are in market.security.
 */
@NullMarked
package org.heddle.market.http.auth;

import org.jspecify.annotations.NullMarked;
