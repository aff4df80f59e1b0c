// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.model;

/**
 * A queue with resources that users can reserve for a time, through YARN's {@code ReservationSystem}. Each reservation
 * is a queue inside it while it lasts; applications without a reservation go to the queue with its name and {@code
 * -default}.
 *
 * @param agent class of YARN that finds a place for a reservation in time ({@code ReservationAgent})
 * @param planner class of YARN that corrects the plan when the queue has less than before ({@code Planner})
 * @param admission class of YARN that limits what a user may reserve ({@code SharingPolicy})
 * @param windowMillis time over which {@code average} is taken
 * @param average maximum part of the queue that one user may reserve on average over the window, 0 to 1
 * @param peak maximum part of the queue that one user may reserve at any moment, 0 to 1
 * @param enforcementMillis how far ahead the planner corrects the plan
 * @param moves whether applications are moved to the queue without reservation when theirs ends; false: they are killed
 * @param access users who may see, make and change reservations
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
    /** End of the name of the queue for applications without a reservation. */
    public static final String DEFAULT_SUFFIX = "-default";

    private static final String YARN = "org.apache.hadoop.yarn.server.resourcemanager.reservation.";

    /** The defaults of YARN. */
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
     * Users who may see, make and change reservations; it counts where {@code yarn.acl.enable} and {@code
     * yarn.acl.reservation-enable} are on. All users may change and end their own reservations.
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
