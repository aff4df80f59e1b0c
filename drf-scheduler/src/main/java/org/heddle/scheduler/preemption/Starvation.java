// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.preemption;

import org.heddle.scheduler.engine.Schedulable;

/**
 * A queue, user or application below its guarantee or share, or with a reservation that waits.
 *
 * @param schedulable a queue, a user or an application
 * @param kind what it lacks
 * @param sinceMillis since when
 * @param upTo the part of its entitlement at which it no longer starves
 */
public record Starvation(Schedulable schedulable, Kind kind, long sinceMillis, double upTo) {
    /** The kind of starvation. */
    public enum Kind {
        /** Usage below the guarantee. */
        BELOW_GUARANTEE("below its guarantee"),
        /** Usage below the entitlement. */
        BELOW_SHARE("below its share"),
        /** A node is reserved for its ask, but its resources do not become free. */
        RESERVATION_STUCK("its reservation waits");

        private final String words;

        Kind(String words) {
            this.words = words;
        }

        @Override
        public String toString() {
            return words;
        }
    }

    /** Whether it no longer starves, or limits forbid everything that it asks for. */
    public boolean isSettled() {
        if (!schedulable.mayHoldMore()) {
            return true;
        }
        return switch (kind) {
            case BELOW_GUARANTEE -> schedulable.guaranteeHeld() >= 1;
            case BELOW_SHARE -> schedulable.normalizedShare() >= upTo;
            case RESERVATION_STUCK -> false;
        };
    }
}
