// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.model;

/**
 * The preemption settings of a queue (Nexus 3.4 and 4.3).
 *
 * @param guaranteed resources that the queue gets before shares count, and that are never preempted; nothing of a
 *     resource that is not named
 * @param revocable whether containers of this queue and of the queues below it may be preempted
 * @param belowGuaranteeMillis how long it may be below its guarantee, with asks, before containers of others are
 *     preempted for it; {@link #NEVER} for ever
 * @param belowShareMillis the same for its fair share
 * @param threshold part of its fair share, 0 to 1; with less it is starved
 * @param restored part of its fair share, 0 to 1, up to which containers are then preempted for it
 */
public record QueuePreemptionSettings(
        Amounts guaranteed,
        boolean revocable,
        long belowGuaranteeMillis,
        long belowShareMillis,
        double threshold,
        double restored) {
    /** A wait that does not end. */
    public static final long NEVER = Long.MAX_VALUE;

    /** The default: no guarantee, may be preempted, starved after 15 s and 30 s. */
    public static final QueuePreemptionSettings DEFAULT =
            new QueuePreemptionSettings(Amounts.UNLIMITED, true, 15_000, 30_000, 0.9, 1);

    /** The part of its fair share up to which containers are preempted for it; not less than the threshold. */
    public double upTo() {
        return Math.max(threshold, restored);
    }
}
