// SPDX-License-Identifier: Apache-2.0
/**
 * Run time models from measured runs: Hadoop job histories are the input, coefficients with confidence intervals the
 * output. No class here knows plans.
 */
@NullMarked
package org.heddle.packing.fit;

import org.jspecify.annotations.NullMarked;
