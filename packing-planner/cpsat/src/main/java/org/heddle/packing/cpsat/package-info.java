// SPDX-License-Identifier: Apache-2.0
/** Non-phased plans by constraint programming, with OR-Tools; found by the planner if it is on the class path. */
@NullMarked
package org.heddle.packing.cpsat;

import org.jspecify.annotations.NullMarked;
