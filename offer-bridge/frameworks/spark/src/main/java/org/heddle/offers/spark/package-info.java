// SPDX-License-Identifier: Apache-2.0
/** The master {@code offers://} of Spark: executors are tasks on offers of the bridge. */
@NullMarked
package org.heddle.offers.spark;

import org.jspecify.annotations.NullMarked;
