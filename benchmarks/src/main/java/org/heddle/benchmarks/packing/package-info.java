// SPDX-License-Identifier: Apache-2.0
/** The packing planner: search times and gaps against its goals, what plans save, and plans that are executed. */
@NullMarked
package org.heddle.benchmarks.packing;

import org.jspecify.annotations.NullMarked;
