// SPDX-License-Identifier: Apache-2.0
/**
 * Plans a set of MapReduce jobs on a cluster so that all of them end as early as possible, proves how
 * far a plan is from the optimum, and runs it on YARN. After "Packing the Most Onto Your Cloud"
 * (CloudDB 2009), with its formulas corrected as told in the module's README.
 */
@NullMarked
package org.heddle.packing;

import org.jspecify.annotations.NullMarked;
