// SPDX-License-Identifier: Apache-2.0
/**
 * Lower bounds that hold for all plans with fixed VM counts, and the linear program of column
 * generation. No class here makes a plan.
 *
 * <p>All classes are public for the other packages of {@code solve} only.
 */
@NullMarked
package org.heddle.packing.solve.bound;

import org.jspecify.annotations.NullMarked;
