// SPDX-License-Identifier: Apache-2.0
package org.heddle.demos.market;

import java.util.Map;

/**
 * What the market said at an instant.
 *
 * @param seconds since the streams began
 * @param price credits for a slot and minute, of all that pay
 * @param standings by user
 */
record Sample(double seconds, double price, Map<String, UserState> standings) {
    /** Whether everybody who is entitled to something asks for more than he has: else shares are not what is bid. */
    boolean isContended() {
        return standings.values().stream().allMatch(standing -> standing.entitled() == 0 || standing.pending() > 0);
    }

    UserState of(String user) {
        return standings.getOrDefault(user, UserState.NONE);
    }
}
