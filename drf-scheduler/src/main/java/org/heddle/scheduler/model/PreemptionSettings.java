// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.model;

/**
 * How containers are revoked, for the whole cluster (Nexus 3.4 and 4.3).
 *
 * @param mode whether they are
 * @param graceMillis time between telling an ApplicationMaster and killing the container
 * @param maxPerSecond most that is revoked, as a part of the cluster (of the dominant resource of what is revoked) per
 *     second, above 0 and up to 1; one container may exceed it, and is made up for before the next
 * @param reservationStuckMillis how long a node may be held for a large ask before containers on it are revoked for that;
 *     {@link QueuePreemptionSettings#NEVER} for ever
 * @param minUtilization part of the cluster, of the resource most in use, above which containers are revoked; 0 for always
 * @param masters whether ApplicationMasters' containers may be revoked, after all others
 */
public record PreemptionSettings(
        Mode mode,
        long graceMillis,
        double maxPerSecond,
        long reservationStuckMillis,
        double minUtilization,
        boolean masters) {
    /** Whether containers are revoked. */
    public enum Mode {
        /** Never. */
        OFF,
        /** It is worked out and reported what would be revoked, and nothing is. */
        DRY_RUN,
        /** They are. */
        ON
    }

    public static final PreemptionSettings DEFAULT = new PreemptionSettings(Mode.OFF, 15_000, 0.01, 15_000, 0, true);
}
