// SPDX-License-Identifier: Apache-2.0
/**
 * Plans in phases: the planners, the shortest phase of a set of jobs, and explanations. Uses bounds, but neither
 * timed nor malleable plans.
 *
 * <p>{@code PhaseChoice}, {@code PhasePlacement}, {@code PhaseSearch}, {@code PhasedPlans} and {@code SubsetPlanner}
 * are public for the malleable planner only.
 */
@NullMarked
package org.heddle.packing.solve.phased;

import org.jspecify.annotations.NullMarked;
