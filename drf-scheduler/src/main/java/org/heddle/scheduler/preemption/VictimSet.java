// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.preemption;

import java.util.List;

/**
 * The containers to preempt on one node, and their use.
 *
 * @param node where
 * @param marked containers to take
 * @param count number of the beneficiary's containers that fit then
 * @param fairness Jain's index over all users when these are gone
 * @param entitled how many of these are taken from a queue, user or application that has less than its share without
 *     them
 * @param weighted how many of these are taken from queues, users and applications that have a weight
 */
public record VictimSet(
        CandidateNode node, List<VictimCandidate> marked, int count, double fairness, int entitled, int weighted) {
    /** The work that is lost with these containers: milliseconds of the whole cluster. */
    public double lostWork() {
        return marked.stream().mapToDouble(VictimCandidate::lostWork).sum();
    }
}
