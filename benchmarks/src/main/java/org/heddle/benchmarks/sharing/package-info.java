// SPDX-License-Identifier: Apache-2.0
/** Frameworks that come and go on one cluster of processes: their shares over time, and what sharing costs them. */
@NullMarked
package org.heddle.benchmarks.sharing;

import org.jspecify.annotations.NullMarked;
