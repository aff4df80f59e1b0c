// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers;

import java.util.function.LongSupplier;
import org.heddle.offers.master.state.StateChange;
import org.heddle.settings.Clocks;

/**
 * A clock for everything that waits, and a wall clock that is set forward and back by an hour all the time: whatever
 * depends on dates fails under it.
 */
public final class TestClocks {
    private static final long HOUR = 3_600_000;
    /** 2026-01-01. */
    private static final long START = 1_767_225_600_000L;

    private TestClocks() {}

    public static Clocks of(LongSupplier millis) {
        return new Clocks(millis, () -> date(millis.getAsLong()));
    }

    public static StateChange change(long millis) {
        return new StateChange(millis, date(millis));
    }

    /** Milliseconds since 1970. */
    public static long date(long millis) {
        return START + millis + (millis / 1_000 % 3 - 1) * HOUR;
    }
}
