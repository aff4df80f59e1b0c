// SPDX-License-Identifier: Apache-2.0
/** Measuring programs in processes of their own: how they are started, and how the figures that they print are read. */
@NullMarked
package org.heddle.benchmarks.program;

import org.jspecify.annotations.NullMarked;
