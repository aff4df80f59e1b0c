// SPDX-License-Identifier: Apache-2.0
/**
 * What all planners share: the {@code Planner} interface, the context of a search and the problem as arrays. No
 * class here refers to the packages below it, to files or to Hadoop; the clock and the seed of random numbers are
 * arguments.
 *
 * <p>{@code JobTable} is public for these packages only.
 */
@NullMarked
package org.heddle.packing.solve;

import org.jspecify.annotations.NullMarked;
