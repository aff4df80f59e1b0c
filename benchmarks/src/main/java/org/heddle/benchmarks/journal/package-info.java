// SPDX-License-Identifier: Apache-2.0
/** The write-ahead log of market, bridge and planner: what a commit costs. */
@NullMarked
package org.heddle.benchmarks.journal;

import org.jspecify.annotations.NullMarked;
