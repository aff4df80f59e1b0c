// SPDX-License-Identifier: Apache-2.0
/** The commands for keys and vouchers. */
@NullMarked
package org.heddle.market.cli.keys;

import org.jspecify.annotations.NullMarked;
