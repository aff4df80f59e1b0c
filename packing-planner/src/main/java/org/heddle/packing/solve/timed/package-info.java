// SPDX-License-Identifier: Apache-2.0
/**
 * The planner for fixed VM counts and free start times. Starts from a phased plan and uses its bounds, but no
 * malleable plan.
 */
@NullMarked
package org.heddle.packing.solve.timed;

import org.jspecify.annotations.NullMarked;
