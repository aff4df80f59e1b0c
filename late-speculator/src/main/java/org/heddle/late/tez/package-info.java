// SPDX-License-Identifier: Apache-2.0
/** LATE's judgement for the speculator of Tez: {@link org.heddle.late.tez.LateEstimator}. */
@NullMarked
package org.heddle.late.tez;

import org.jspecify.annotations.NullMarked;
