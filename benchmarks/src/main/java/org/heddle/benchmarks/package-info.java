// SPDX-License-Identifier: Apache-2.0
/**
 * Measurements. Each package measures one module; {@code evaluate} runs them as experiments, keeps their results and
 * shows them.
 */
@NullMarked
package org.heddle.benchmarks;

import org.jspecify.annotations.NullMarked;
