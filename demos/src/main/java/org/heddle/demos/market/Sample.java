// SPDX-License-Identifier: Apache-2.0
package org.heddle.demos.market;

import java.util.Map;

/**
 * What the market said at an instant.
 *
 * @param seconds since the streams began
 * @param price credits for a slot and minute, of all that pay
 * @param states by user
 */
record Sample(double seconds, double price, Map<String, UserState> states) {
    /** Whether each user with an entitlement asks for tasks; else the shares differ from the bids. */
    boolean isContended() {
        return states.values().stream().allMatch(state -> state.entitled() == 0 || state.asksForTasks());
    }

    UserState of(String user) {
        return states.getOrDefault(user, UserState.NONE);
    }
}
