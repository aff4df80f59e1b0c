// SPDX-License-Identifier: Apache-2.0
/**
 * The planner for VM counts that change during a job; may use the phased planner, but not the timed one.
 */
@NullMarked
package org.heddle.packing.solve.malleable;

import org.jspecify.annotations.NullMarked;
