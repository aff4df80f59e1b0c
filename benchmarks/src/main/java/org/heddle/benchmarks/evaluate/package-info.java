// SPDX-License-Identifier: Apache-2.0
/**
 * The command {@code benchmarks/bin/evaluate}: which experiments there are, how one is run, and what the options do.
 */
@NullMarked
package org.heddle.benchmarks.evaluate;

import org.jspecify.annotations.NullMarked;
