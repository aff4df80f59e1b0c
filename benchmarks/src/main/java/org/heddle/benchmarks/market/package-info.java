// SPDX-License-Identifier: Apache-2.0
/** How long the market holds the scheduler's lock at a boundary between two epochs. */
@NullMarked
package org.heddle.benchmarks.market;

import org.jspecify.annotations.NullMarked;
