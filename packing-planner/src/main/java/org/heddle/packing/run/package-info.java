// SPDX-License-Identifier: Apache-2.0
/** Executes a plan on a YARN cluster and compares what happened with what was predicted. */
@NullMarked
package org.heddle.packing.run;

import org.jspecify.annotations.NullMarked;
