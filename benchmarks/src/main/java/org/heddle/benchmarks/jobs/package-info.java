// SPDX-License-Identifier: Apache-2.0
/**
 * What a user waits for: whole jobs of MapReduce and Spark in a cluster with real containers, under each scheduler, and
 * where their time goes. Nothing here calls a scheduler.
 */
@NullMarked
package org.heddle.benchmarks.jobs;

import org.jspecify.annotations.NullMarked;
