// SPDX-License-Identifier: Apache-2.0
/**
 * Hadoop's own scheduler load simulator (hadoop-sls) as a driver that nobody here wrote: its nodes, masters, traces and
 * measurements, with the real ResourceManager.
 */
@NullMarked
package org.heddle.benchmarks.sls;

import org.jspecify.annotations.NullMarked;
