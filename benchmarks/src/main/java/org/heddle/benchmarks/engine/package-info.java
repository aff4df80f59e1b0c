// SPDX-License-Identifier: Apache-2.0
/** What the share engine costs: time and allocation for each heartbeat, without Hadoop. */
@NullMarked
package org.heddle.benchmarks.engine;

import org.jspecify.annotations.NullMarked;
