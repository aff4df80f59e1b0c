// SPDX-License-Identifier: Apache-2.0
/**
 * The particle swarm of the paper, the baseline for comparisons; no shipped class may use it.
 */
@NullMarked
package org.heddle.packing.solve.swarm;

import org.jspecify.annotations.NullMarked;
