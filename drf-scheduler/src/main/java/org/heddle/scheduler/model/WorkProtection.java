// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.model;

/**
 * How preemption spares the work that containers have done.
 *
 * @param enabled whether containers that have run for the shortest time are preempted first, and those that are
 *     expected to end soon are not preempted. If false, the containers of those furthest above their share are
 *     preempted first, and a reservation that waits is a reason for a preemption
 * @param maxLost the part of all work, above 0 and up to 1, that preemption may lose over a long time; 1 for no limit
 * @param waitMillis time from the beginning of a starvation within which it waits for containers that are expected to
 *     end
 */
public record WorkProtection(boolean enabled, double maxLost, long waitMillis) {
    /** Shares alone decide. */
    public static final WorkProtection NONE = new WorkProtection(false, 1, 0);

    /**
     * The work that preemption may lose now, in milliseconds of the whole cluster.
     *
     * @param maxLost the part of all work that may be lost, above 0 and up to 1; 1 if there is no limit, or no
     *     preemption
     * @param available the work that may be lost now; below 0 after a preemption that exceeded the limit
     * @param most the largest amount that becomes available; one preemption may exceed it
     * @param waiting the number of applications that ask below what starves, and for which nothing is preempted because
     *     that would lose more
     * @param needed the work that the preemption for the first of these would lose; 0 if none waits
     */
    public record Credit(double maxLost, double available, double most, int waiting, double needed) {
        /** There is no limit. */
        public static final Credit UNLIMITED = new Credit(1, 0, 0, 0, 0);

        public boolean isLimited() {
            return maxLost < 1;
        }
    }
}
