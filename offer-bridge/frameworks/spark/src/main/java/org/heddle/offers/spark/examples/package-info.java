// SPDX-License-Identifier: Apache-2.0
/** The applications of the paper about resilient distributed datasets, small, for any master of Spark. */
@NullMarked
package org.heddle.offers.spark.examples;

import org.jspecify.annotations.NullMarked;
