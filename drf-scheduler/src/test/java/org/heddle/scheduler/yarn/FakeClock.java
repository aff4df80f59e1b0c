// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn;

import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.yarn.util.Clock;
import org.heddle.settings.Clocks;

/** A clock that moves when told to. */
public final class FakeClock implements Clock {
    private static final long HOUR = 3_600_000;
    /** 2026-01-01. */
    private static final long START = 1_767_225_600_000L;

    private final AtomicLong now;

    /**
     * Later than the machine's clock, which it replaces in a scheduler that has been initialised: no time goes back.
     */
    public FakeClock() {
        this(100_000_000);
    }

    public FakeClock(long now) {
        this.now = new AtomicLong(now);
    }

    public void tick(long millis) {
        now.addAndGet(millis);
    }

    /**
     * This clock for everything that waits, and a wall clock that is set forward and back by an hour all the time:
     * whatever depends on dates fails under it.
     */
    public Clocks withDatesThatStep() {
        return new Clocks(now::get, () -> date(now.get()));
    }

    private static long date(long millis) {
        return START + millis + (millis / 1_000 % 3 - 1) * HOUR;
    }

    @Override
    public long getTime() {
        return now.get();
    }
}
