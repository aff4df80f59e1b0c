// SPDX-License-Identifier: Apache-2.0
/** YARN's side: one unmanaged application per framework and role. */
@NullMarked
package org.heddle.offers.yarn;

import org.jspecify.annotations.NullMarked;
