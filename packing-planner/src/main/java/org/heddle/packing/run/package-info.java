// SPDX-License-Identifier: Apache-2.0
/**
 * Executes a plan on a YARN cluster and compares the actual times with the predicted ones. Plans are an
 * input; no planner is used here.
 */
@NullMarked
package org.heddle.packing.run;

import org.jspecify.annotations.NullMarked;
