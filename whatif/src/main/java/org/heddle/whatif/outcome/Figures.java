// SPDX-License-Identifier: Apache-2.0
package org.heddle.whatif.outcome;

/**
 * The figures of a queue, of a user, or of all.
 *
 * @param jobs that ended
 * @param tasks that ended
 * @param share the mean dominant share of the cluster from the beginning to the end of the replay, 0 to 1
 * @param masterWait from the submission of a job to the container of its master
 * @param taskWait from the request for a task to its container
 * @param jobTime from the submission of a job to its end
 * @param preempted containers that the scheduler ended
 * @param lostMillis how long those had run
 */
public record Figures(
        int jobs,
        long tasks,
        double share,
        Percentiles masterWait,
        Percentiles taskWait,
        Percentiles jobTime,
        long preempted,
        long lostMillis) {}
