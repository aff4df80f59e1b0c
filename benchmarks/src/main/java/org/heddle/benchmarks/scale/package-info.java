// SPDX-License-Identifier: Apache-2.0
/**
 * What large clusters cost: many nodes and applications in the same races as in {@code rm}, and their recovery by
 * another manager.
 */
@NullMarked
package org.heddle.benchmarks.scale;

import org.jspecify.annotations.NullMarked;
