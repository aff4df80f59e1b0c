// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.preemption;

import org.heddle.scheduler.engine.Schedulable;

/**
 * A queue, user or application that has not got what it may expect.
 *
 * @param schedulable a queue, a user or an application
 * @param kind what it may expect
 * @param sinceMillis since when
 * @param upTo which part of its entitlement it is to have
 */
public record Starvation(Schedulable schedulable, Kind kind, long sinceMillis, double upTo) {
    /** What is being missed. */
    public enum Kind {
        /** It holds less than is guaranteed to it. */
        BELOW_GUARANTEE("below its guarantee"),
        /** It holds less than the part that its weight entitles it to: a newcomer, or one who was held back. */
        BELOW_SHARE("below its share"),
        /** A node is held for its ask, and room does not come. */
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

    /** Whether it has by now all that it may expect, or asks for nothing that it may have. */
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
