// SPDX-License-Identifier: Apache-2.0
/** {@code ./demo pack}: jobs are profiled, planned, and run one after the other and by plan. */
@NullMarked
package org.heddle.demos.pack;

import org.jspecify.annotations.NullMarked;
