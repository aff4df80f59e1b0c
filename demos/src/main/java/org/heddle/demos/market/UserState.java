// SPDX-License-Identifier: Apache-2.0
package org.heddle.demos.market;

/**
 * How one user stands at an instant.
 *
 * @param entitled part of the cluster that it is entitled to, 0 to 1
 * @param used part that it holds
 * @param rate that it has asked for
 * @param balance credits
 * @param running containers
 * @param pending containers
 * @param starting applications whose master does not run yet; each asks for one container at most, and for no task
 * @param state the market's word for it, {@code paying} for example
 */
record UserState(
        double entitled,
        double used,
        double rate,
        double balance,
        int running,
        int pending,
        int starting,
        String state) {
    static final UserState NONE = new UserState(0, 0, 0, 0, 0, 0, 0, "");

    /**
     * Whether a master that runs asks for tasks: the market owes nothing to a user whose next master is still starting.
     */
    boolean asksForTasks() {
        return pending > starting;
    }

    boolean isBroke() {
        return state.equals("unaffordable");
    }
}
