// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.agent;

/**
 * The progress of a job.
 *
 * @param ended whether it has ended
 * @param remaining slot-milliseconds that are left, as far as it is known; NaN before there is progress
 * @param width the most slots that it can use now
 * @param masterSlots slots that its ApplicationMaster holds until it ends, in addition to the two numbers before; 0 if
 *     they contain it
 * @param taskMillis expected length of a task, for the last ones that start late; not less than what is left of the
 *     longest one that runs
 * @param source where the numbers come from, for the explanation
 */
public record JobProgress(
        boolean ended, double remaining, double width, double masterSlots, double taskMillis, String source) {
    /**
     * A job that shows no progress yet: its master waits, or its first tasks have just begun.
     *
     * @param width the slots that it asks for
     */
    public static JobProgress waiting(double width, String source) {
        return new JobProgress(false, Double.NaN, width, 0, 0, source);
    }

    /** Whether the work that is left is known. */
    public boolean isKnown() {
        return !Double.isNaN(remaining);
    }
}
