// SPDX-License-Identifier: Apache-2.0
/** An example of the policy outside MapReduce: a listener for Spark. See docs/speculation-library.md. */
@NullMarked
package org.heddle.late.spark;

import org.jspecify.annotations.NullMarked;
