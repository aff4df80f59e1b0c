// SPDX-License-Identifier: Apache-2.0
/**
 * The planner for VM counts that change while a job runs. Starts from the plan with fixed VM counts of {@code
 * solve.timed}.
 */
@NullMarked
package org.heddle.packing.solve.malleable;

import org.jspecify.annotations.NullMarked;
