// SPDX-License-Identifier: Apache-2.0
/** How many tasks run where their data are, and what waiting for that costs, under the stock schedulers and ours. */
@NullMarked
package org.heddle.benchmarks.locality;

import org.jspecify.annotations.NullMarked;
