// SPDX-License-Identifier: Apache-2.0
/** Names of accounts and addresses of markets: parsed, checked and made printable. */
@NullMarked
package org.heddle.market.model.naming;

import org.jspecify.annotations.NullMarked;
