// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.model;

/**
 * A queue whose resources can be reserved ahead of time, by YARN's {@code ReservationSystem}: reservations become queues
 * inside it while they last, and applications without one go to a queue named after it, with {@code -default} behind.
 *
 * @param agent class of YARN that finds a place for a reservation in time ({@code ReservationAgent})
 * @param planner class of YARN that mends the plan when the queue has less than before ({@code Planner})
 * @param admission class of YARN that says who may reserve how much ({@code SharingPolicy})
 * @param windowMillis over which time {@code average} is taken
 * @param average most that one user may have reserved on average over the window, as part of the queue, 0 to 1
 * @param peak most that one user may have reserved at any moment, as part of the queue, 0 to 1
 * @param enforcementMillis how far ahead the planner mends
 * @param moves whether applications that outlive their reservation go on outside it; false: they are killed
 * @param access who may do what with reservations
 */
public record Plan(
        String agent,
        String planner,
        String admission,
        long windowMillis,
        double average,
        double peak,
        long enforcementMillis,
        boolean moves,
        Access access) {
    /** What the queue for applications without a reservation is called after its parent. */
    public static final String DEFAULT_SUFFIX = "-default";

    private static final String YARN = "org.apache.hadoop.yarn.server.resourcemanager.reservation.";

    /** What YARN does where nothing is said. */
    public static final Plan DEFAULT = new Plan(
            YARN + "planning.AlignedPlannerWithGreedy",
            YARN + "planning.SimpleCapacityReplanner",
            YARN + "CapacityOverTimePolicy",
            86_400_000,
            1,
            1,
            3_600_000,
            true,
            Access.OPEN);

    /**
     * Who may do what with reservations; it counts where {@code yarn.acl.enable} and {@code yarn.acl.reservation-enable}
     * are on. Everybody may change and end their own.
     */
    public record Access(AccessList submit, AccessList list, AccessList administer) {
        public static final Access OPEN = new Access(AccessList.EVERYONE, AccessList.EVERYONE, AccessList.EVERYONE);
    }

    /** The same with other classes. */
    public Plan by(String otherAgent, String otherPlanner, String otherAdmission) {
        return new Plan(
                otherAgent,
                otherPlanner,
                otherAdmission,
                windowMillis,
                average,
                peak,
                enforcementMillis,
                moves,
                access);
    }

    /** The same with other lists. */
    public Plan open(Access to) {
        return new Plan(agent, planner, admission, windowMillis, average, peak, enforcementMillis, moves, to);
    }
}
