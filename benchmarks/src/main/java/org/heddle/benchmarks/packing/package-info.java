// SPDX-License-Identifier: Apache-2.0
/** Search times and gaps of the packing planner against its goals. */
@NullMarked
package org.heddle.benchmarks.packing;

import org.jspecify.annotations.NullMarked;
