// SPDX-License-Identifier: Apache-2.0
package org.heddle.late.policy;

/** Estimates how long a running attempt still takes. "Different methods ... can be plugged into LATE" (section 4). */
@FunctionalInterface
public interface Estimator {

    /**
     * @return milliseconds until the attempt ends; positive infinity if it makes no progress; NaN if it has never
     *     reported progress
     */
    double remainingMillis(AttemptRecord attempt, long now);
}
