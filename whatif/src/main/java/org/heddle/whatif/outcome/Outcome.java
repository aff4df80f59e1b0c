// SPDX-License-Identifier: Apache-2.0
package org.heddle.whatif.outcome;

import java.util.List;
import java.util.SortedMap;

/**
 * What came out of a replay with one scheduler.
 *
 * @param scheduler its name
 * @param makespanMillis from the first submission to the end of the last job
 * @param memoryUsed the mean part of the cluster's memory that was used in this time, 0 to 1
 * @param vcoresUsed likewise for vcores
 * @param all the figures of all jobs
 * @param queues the figures of each queue
 * @param users the figures of each user
 * @param usersJain Jain's index of the dominant shares of the users whose jobs waited for containers, the mean over the
 *     time in which at least two did: 1 if all had the same, 1/n if one of n had all; NaN without such a time
 * @param intervalMillis length of the intervals of the next two
 * @param utilisation the dominant share of the cluster that was used in each interval
 * @param shares likewise for each queue
 * @param jobMillis from the submission of each job that ended to its end, by its id
 * @param refused how many jobs were refused, by queue and the first reason
 * @param unfinished jobs that did not end, because nothing more could be allocated to them; their ids
 * @param remarks how the replay differs from a cluster, one sentence each
 */
public record Outcome(
        String scheduler,
        long makespanMillis,
        double memoryUsed,
        double vcoresUsed,
        Figures all,
        SortedMap<String, Figures> queues,
        SortedMap<String, Figures> users,
        double usersJain,
        long intervalMillis,
        double[] utilisation,
        SortedMap<String, double[]> shares,
        SortedMap<String, Long> jobMillis,
        SortedMap<String, Integer> refused,
        List<String> unfinished,
        List<String> remarks) {}
