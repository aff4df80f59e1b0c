// SPDX-License-Identifier: Apache-2.0
/**
 * Lower bounds for plans with fixed VM counts and the linear program of column generation; no class here makes a plan.
 */
@NullMarked
package org.heddle.packing.solve.bound;

import org.jspecify.annotations.NullMarked;
