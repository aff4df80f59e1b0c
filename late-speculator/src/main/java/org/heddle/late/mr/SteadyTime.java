// SPDX-License-Identifier: Apache-2.0
package org.heddle.late.mr;

/**
 * A time without jumps. The ApplicationMaster's clock is the wall clock, which an administrator or NTP may set. Until
 * it is set, this time equals the clock. Ages and rates of attempts are differences of this time.
 *
 * <p>The clock has jumped if it goes back, or if it goes on by more than {@code mostMillis} between two readings. The
 * time of a jump counts as no time. Not thread safe: guarded by the speculator's lock.
 */
final class SteadyTime {
    private final long mostMillis;
    private long lastReading;
    private long ahead;
    private boolean started;

    /** @param mostMillis longer than any time between two readings of a running ApplicationMaster */
    SteadyTime(long mostMillis) {
        this.mostMillis = mostMillis;
    }

    /** The even time at a reading of the clock, which must be a reading of this moment. */
    long at(long reading) {
        long step = reading - lastReading;
        if (started && (step < 0 || step > mostMillis)) {
            ahead += step;
        }
        started = true;
        lastReading = reading;
        return reading - ahead;
    }

    /**
     * The even time of an earlier moment, which was {@code earlier} on the clock. If the clock may have jumped since
     * then, this moment.
     *
     * @param reading the clock at this moment
     */
    long earlier(long earlier, long reading) {
        long now = at(reading);
        long before = reading - earlier;
        return before >= 0 && before <= mostMillis ? now - before : now;
    }
}
