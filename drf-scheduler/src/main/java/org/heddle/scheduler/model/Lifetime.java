// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.model;

/**
 * How long applications of a queue may live.
 *
 * @param mostMillis the longest that may be asked for; {@link #UNLIMITED} for ever
 * @param usualMillis what is given to those that ask for nothing
 */
public record Lifetime(long mostMillis, long usualMillis) {
    public static final long UNLIMITED = Long.MAX_VALUE;
    /** No limit. */
    public static final Lifetime FOR_EVER = new Lifetime(UNLIMITED, UNLIMITED);

    /**
     * What an application gets.
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

    /** The longest that may be asked for, in seconds; -1 for ever. */
    public long mostSeconds() {
        return mostMillis == UNLIMITED ? -1 : mostMillis / 1000;
    }
}
