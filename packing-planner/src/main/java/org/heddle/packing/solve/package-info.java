// SPDX-License-Identifier: Apache-2.0
/**
 * What all planners share: the Planner interface and its registry, the search context, the problem as arrays; no planner, and nothing from the rooms below it.
 */
@NullMarked
package org.heddle.packing.solve;

import org.jspecify.annotations.NullMarked;
