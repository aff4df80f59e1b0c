// SPDX-License-Identifier: Apache-2.0
/**
 * The particle swarm of the paper, a baseline for comparisons. Not shipped: the planner finds it as a service where
 * the tests of this module are on the class path.
 */
@NullMarked
package org.heddle.packing.solve.swarm;

import org.jspecify.annotations.NullMarked;
