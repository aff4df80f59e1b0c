// SPDX-License-Identifier: Apache-2.0
/**
 * What an experiment of the evaluation is, and the values that it returns. Nothing in here measures, and nothing knows
 * where results are kept or how they are shown.
 */
@NullMarked
package org.heddle.benchmarks.experiment;

import org.jspecify.annotations.NullMarked;
