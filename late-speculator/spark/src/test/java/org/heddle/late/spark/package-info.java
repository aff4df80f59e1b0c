// SPDX-License-Identifier: Apache-2.0
/** The example on a real Spark. */
@NullMarked
package org.heddle.late.spark;

import org.jspecify.annotations.NullMarked;
