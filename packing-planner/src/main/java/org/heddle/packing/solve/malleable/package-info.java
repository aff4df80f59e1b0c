// SPDX-License-Identifier: Apache-2.0
/**
 * The planner for VM counts that change while a job runs. Starts from a phased plan, but uses no timed plan.
 */
@NullMarked
package org.heddle.packing.solve.malleable;

import org.jspecify.annotations.NullMarked;
