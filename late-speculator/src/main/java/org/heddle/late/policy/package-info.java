// SPDX-License-Identifier: Apache-2.0
/**
 * LATE as a pure library: observations go into an {@link org.heddle.late.policy.AttemptBook}, {@link
 * org.heddle.late.policy.LatePolicy#scan(long)} says which task deserves a backup and why every other one does not.
 * Times are milliseconds of one clock the caller owns; no thread, no clock, no Hadoop type.
 *
 * <p>Source: Zaharia et al., "Improving MapReduce Performance in Heterogeneous Environments", OSDI'08, section 4.
 */
@NullMarked
package org.heddle.late.policy;

import org.jspecify.annotations.NullMarked;
