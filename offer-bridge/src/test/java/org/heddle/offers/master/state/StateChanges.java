// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.master.state;

/** Runs the effects of a change, as if its records were written. */
public final class StateChanges {
    private StateChanges() {}

    public static void runEffects(StateChange change) {
        change.effects().forEach(Runnable::run);
    }
}
