// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.agent;

/**
 * The progress of a job.
 *
 * @param ended whether it has ended
 * @param remaining slot-milliseconds that are left, as far as it is known
 * @param width the most slots that it can use now
 * @param masterSlots slots that its ApplicationMaster holds until it ends, in addition to the two numbers before; 0 if
 *     they contain it
 * @param taskMillis expected length of a task, for the last ones that start late
 * @param source where the numbers come from, for the explanation
 */
public record JobProgress(
        boolean ended, double remaining, double width, double masterSlots, double taskMillis, String source) {}
