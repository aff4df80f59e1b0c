// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.model;

/**
 * What a queue is protected from, and what it may expect, where containers are revoked (Nexus 3.4 and 4.3).
 *
 * @param guaranteed what the queue is given before any other's share is considered, and what is never revoked from it;
 *     nothing of a resource that is not named
 * @param revocable whether containers of this queue and of those below it may be revoked at all
 * @param belowGuaranteeMillis how long it may ask in vain for what it is guaranteed before others' containers are
 *     revoked for it; {@link #NEVER} for ever
 * @param belowShareMillis the same for what it is entitled to by its weight
 * @param threshold below which part of its entitlement, 0 to 1, it counts as being below its share
 * @param restored up to which part of its entitlement, 0 to 1, it is then helped
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

    /** What holds where nothing is said: no guarantee, revocable, helped after 15 s and 30 s. */
    public static final QueuePreemptionSettings DEFAULT =
            new QueuePreemptionSettings(Amounts.UNLIMITED, true, 15_000, 30_000, 0.9, 1);

    /** The same with another guarantee. */
    public QueuePreemptionSettings guaranteeing(Amounts other) {
        return new QueuePreemptionSettings(
                other, revocable, belowGuaranteeMillis, belowShareMillis, threshold, restored);
    }

    /** Up to which part of its entitlement it is helped: never less than where help begins. */
    public double upTo() {
        return Math.max(threshold, restored);
    }
}
