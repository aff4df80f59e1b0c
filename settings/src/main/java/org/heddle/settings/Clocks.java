// SPDX-License-Identifier: Apache-2.0
package org.heddle.settings;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * The two clocks of a process. The date can step by hours at any moment (NTP, a virtual machine that is resumed), so
 * everything that waits or expires uses {@link #millis}. The date is for what people read, and for records and
 * protocols that need one; each module's {@code LayeringTest} names the classes that read it.
 */
public final class Clocks {
    /** A day before the process began, so that 0 is long ago for everything that has not happened yet. */
    private static final long ORIGIN_NANOS = System.nanoTime() - TimeUnit.DAYS.toNanos(1);

    /** Those of this machine. */
    public static final Clocks SYSTEM = new Clocks(
            () -> TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - ORIGIN_NANOS), System::currentTimeMillis);

    private final LongSupplier monotonic;
    private final LongSupplier wall;

    /**
     * @param monotonic milliseconds, above 0; never goes back
     * @param wall milliseconds since 1970; may step
     */
    public Clocks(LongSupplier monotonic, LongSupplier wall) {
        this.monotonic = monotonic;
        this.wall = wall;
    }

    /** Milliseconds since a moment that is the same as long as the process runs. Above 0, and never goes back. */
    public long millis() {
        return monotonic.getAsLong();
    }

    /**
     * Milliseconds since 1970. Two dates do not tell how much time is between them, because the clock may have been
     * set.
     */
    public long date() {
        return wall.getAsLong();
    }

    /** The date of a moment of {@link #millis}, by the present setting of the wall clock: milliseconds since 1970. */
    public long dateOf(long millis) {
        return date() + (millis - millis());
    }

    /**
     * A clock for a record that says in dates how long something has lasted: the present date, and from now on no
     * steps. Milliseconds since 1970.
     */
    public LongSupplier datesWithoutSteps() {
        long shift = date() - millis();
        return () -> shift + millis();
    }

    /**
     * The moment of {@link #millis} at a date that a record or another process gives. Take it once, when the date is
     * received: then a step of the wall clock changes nothing afterwards.
     *
     * @param date milliseconds since 1970
     */
    public long millisAt(long date) {
        return millis() + (date - date());
    }
}
