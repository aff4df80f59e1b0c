// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.preemption;

import org.heddle.scheduler.engine.Schedulable;

/**
 * A container that may be preempted.
 *
 * @param owner the application that holds it
 * @param size per resource
 * @param master whether its ApplicationMaster runs in it
 * @param endsOthers whether all else that the owner holds ends with it: so it is with a master, unless the application
 *     keeps its containers for the next attempt
 * @param priority of the ask that it was given for; the smaller the more it matters, as YARN has it
 * @param sequence order of allocation: the larger, the younger
 * @param runMillis how long it will have run when the grace period is over, in milliseconds; 0 where work is not spared
 * @param share the part of the cluster that it holds, of the resource of which it holds the largest part
 * @param tag an object by which the caller identifies it
 */
public record VictimCandidate(
        Schedulable owner,
        long[] size,
        boolean master,
        boolean endsOthers,
        int priority,
        long sequence,
        long runMillis,
        double share,
        Object tag) {
    /** The work that is lost with it: milliseconds of the whole cluster. */
    public double lostWork() {
        return share * runMillis;
    }
}
