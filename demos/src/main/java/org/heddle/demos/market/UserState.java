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
 * @param state the market's word for it, {@code paying} for example
 */
record UserState(double entitled, double used, double rate, double balance, int running, int pending, String state) {
    static final UserState NONE = new UserState(0, 0, 0, 0, 0, 0, "");

    boolean isBroke() {
        return state.equals("unaffordable");
    }
}
