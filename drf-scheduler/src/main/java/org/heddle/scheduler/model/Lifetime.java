// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.model;

/**
 * How long applications of a queue may live.
 *
 * @param mostMillis maximum lifetime; {@link #UNLIMITED} for no maximum
 * @param usualMillis lifetime of an application that asks for none
 */
public record Lifetime(long mostMillis, long usualMillis) {
    public static final long UNLIMITED = Long.MAX_VALUE;
    /** No limit. */
    public static final Lifetime FOR_EVER = new Lifetime(UNLIMITED, UNLIMITED);

    /**
     * The lifetime of an application.
     *
     * @param askedSeconds what it asks for, in seconds; 0 or less for nothing in particular
     * @return seconds; -1 for ever
     */
    public long grant(long askedSeconds) {
        long most = mostSeconds();
        if (askedSeconds <= 0) {
            return usualMillis == UNLIMITED ? most : usualMillis / 1000;
        }
        return most < 0 ? askedSeconds : Math.min(askedSeconds, most);
    }

    /** The maximum lifetime in seconds; -1 for no maximum. */
    public long mostSeconds() {
        return mostMillis == UNLIMITED ? -1 : mostMillis / 1000;
    }
}
