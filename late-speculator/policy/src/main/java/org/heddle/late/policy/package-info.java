// SPDX-License-Identifier: Apache-2.0
/**
 * LATE as a pure library. The caller enters observations into an {@link org.heddle.late.policy.AttemptRegistry}; {@link
 * org.heddle.late.policy.LatePolicy#scan(long)} returns one decision with a reason for each running task. Times are
 * milliseconds of one clock of the caller. No class here has a thread, reads a clock or uses a Hadoop type.
 *
 * <p>Source: Zaharia et al., "Improving MapReduce Performance in Heterogeneous Environments", OSDI'08, section 4.
 */
@NullMarked
package org.heddle.late.policy;

import org.jspecify.annotations.NullMarked;
