// SPDX-License-Identifier: Apache-2.0
/** The market under a virtual clock: the production floor and engine, with tasks that only take time. */
@NullMarked
package org.heddle.market.simulate;

import org.jspecify.annotations.NullMarked;
