// SPDX-License-Identifier: Apache-2.0
/** The market: its paper's figures on a virtual clock, and what an epoch costs. */
@NullMarked
package org.heddle.benchmarks.market;

import org.jspecify.annotations.NullMarked;
