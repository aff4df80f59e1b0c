// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.model;

/**
 * The preemption settings of the whole cluster (Nexus 3.4 and 4.3).
 *
 * @param mode whether containers are preempted
 * @param graceMillis time from the notice to the ApplicationMaster until the container is killed
 * @param maxPerSecond maximum part of the cluster (of the dominant resource of the victims) that is preempted per
 *     second, above 0 and up to 1; one container may exceed it, and the next one then waits longer
 * @param reservationStuckMillis how long a node may be reserved for an ask before containers on it are preempted;
 *     {@link QueuePreemptionSettings#NEVER} for ever
 * @param minUtilization containers are preempted only if more than this part of the cluster is in use, of the resource
 *     with the highest use; 0 for always
 * @param masters whether containers of ApplicationMasters may be preempted, after all others
 * @param work how the work of containers is spared
 */
public record PreemptionSettings(
        Mode mode,
        long graceMillis,
        double maxPerSecond,
        long reservationStuckMillis,
        double minUtilization,
        boolean masters,
        WorkProtection work) {
    /** The same in dry run. */
    public PreemptionSettings dryRun() {
        return new PreemptionSettings(
                Mode.DRY_RUN, graceMillis, maxPerSecond, reservationStuckMillis, minUtilization, masters, work);
    }

    /** Whether containers are preempted. */
    public enum Mode {
        /** Never. */
        OFF,
        /** It is reported which containers would be preempted; nothing is preempted. */
        DRY_RUN,
        /** Containers are preempted. */
        ON
    }

    public static final PreemptionSettings DEFAULT = new PreemptionSettings(Mode.OFF, 15_000, 0.01, 15_000, 0, true);

    /** Settings in which shares alone decide which containers are preempted. */
    public PreemptionSettings(
            Mode mode,
            long graceMillis,
            double maxPerSecond,
            long reservationStuckMillis,
            double minUtilization,
            boolean masters) {
        this(mode, graceMillis, maxPerSecond, reservationStuckMillis, minUtilization, masters, WorkProtection.NONE);
    }
}
