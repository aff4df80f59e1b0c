// SPDX-License-Identifier: Apache-2.0
/**
 * The planner for fixed VM counts and free start times; may use the phased planner, but not the malleable one.
 */
@NullMarked
package org.heddle.packing.solve.timed;

import org.jspecify.annotations.NullMarked;
