// SPDX-License-Identifier: Apache-2.0
/**
 * Planners, bounds and explanations for plans in phases; may use bounds, but neither timed nor malleable plans.
 */
@NullMarked
package org.heddle.packing.solve.phased;

import org.jspecify.annotations.NullMarked;
