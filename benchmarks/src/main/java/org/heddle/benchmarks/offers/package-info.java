// SPDX-License-Identifier: Apache-2.0
/** Frameworks on the offer bridge: what it costs MPI and MapReduce, and Spark's iterations. */
@NullMarked
package org.heddle.benchmarks.offers;

import org.jspecify.annotations.NullMarked;
