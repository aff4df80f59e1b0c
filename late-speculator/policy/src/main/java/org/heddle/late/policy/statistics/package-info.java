// SPDX-License-Identifier: Apache-2.0
/** Figures over numbers: medians, percentiles, noise. No class here knows a task or an attempt. */
@NullMarked
package org.heddle.late.policy.statistics;

import org.jspecify.annotations.NullMarked;
