// SPDX-License-Identifier: Apache-2.0
/** What the bridge decides: how much to ask for, what is refused, what fits where. Time is an argument. */
@NullMarked
package org.heddle.offers.policy;

import org.jspecify.annotations.NullMarked;
