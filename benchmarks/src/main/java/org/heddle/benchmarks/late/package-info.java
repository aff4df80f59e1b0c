// SPDX-License-Identifier: Apache-2.0
/** The LATE report: scenarios, sweeps and acceptance ratios on the virtual clock. Run by {@code bin/late-report}. */
@NullMarked
package org.heddle.benchmarks.late;

import org.jspecify.annotations.NullMarked;
