// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.config.capacity;

import org.heddle.scheduler.model.Lifetime;

/**
 * Lifetimes of applications in seconds, as CapacityScheduler passes them down.
 *
 * @param most the maximum; 0 or less for none
 * @param usual of an application that asks for none; 0 or less for the maximum
 * @param isSet whether this queue or one above it sets the usual lifetime
 */
record CapacityLifetimes(long most, long usual, boolean isSet) {
    static final CapacityLifetimes NONE = new CapacityLifetimes(-1, -1, false);
    private static final long LONGEST = Long.MAX_VALUE / 2_000;

    /** The lifetimes of a queue below the one that has these. */
    CapacityLifetimes inside(CapacityProperties properties, CapacityQueue queue) {
        long ownMost = seconds(properties, queue.key("maximum-application-lifetime"));
        long ownUsual = seconds(properties, queue.key("default-application-lifetime"));
        long mostHere = ownMost >= 0 ? ownMost : most;
        boolean setHere = ownUsual >= 0 || isSet;
        long usualHere = ownUsual;
        if (ownUsual < 0) {
            usualHere = setHere ? Math.min(usual, mostHere) : mostHere;
        } else if (mostHere > 0 && ownUsual > mostHere) {
            properties.add(
                    queue.key("default-application-lifetime"),
                    "must not exceed the maximum lifetime in this queue, " + mostHere + " seconds");
        }
        return new CapacityLifetimes(mostHere, usualHere <= 0 ? mostHere : usualHere, setHere);
    }

    private static long seconds(CapacityProperties properties, String key) {
        return Math.min(properties.longCount(key, -1), LONGEST);
    }

    long mostMillis() {
        return millis(most);
    }

    long usualMillis() {
        return millis(usual);
    }

    private static long millis(long seconds) {
        return seconds <= 0 ? Lifetime.UNLIMITED : seconds * 1000;
    }
}
