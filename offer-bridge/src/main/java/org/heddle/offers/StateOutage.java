// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.heddle.journal.UnavailableException;
import org.heddle.offers.store.Journal;

/**
 * Waits for a state directory whose disk is full or whose NameNode is away, and says so. For one thread.
 */
final class StateOutage implements Journal.Outage {
    private static final long PAUSE_MILLIS = 500;
    /** Long enough for an operator who comes to look, or for a NameNode that starts again. */
    private static final Duration LONGEST = Duration.ofMinutes(10);

    private final Consumer<String> warning;
    /** By {@link System#nanoTime}; only meaningful while it waits. */
    private long begin;

    private boolean waiting;

    /** @param warning gets a sentence while it waits, and an empty one when that is over */
    StateOutage(Consumer<String> warning) {
        this.warning = warning;
    }

    @Override
    public boolean pause(UnavailableException failure) {
        long now = System.nanoTime();
        if (!waiting) {
            waiting = true;
            begin = now;
        }
        if (now - begin >= LONGEST.toNanos()) {
            return false;
        }
        warning.accept("The bridge waits up to " + LONGEST.toMinutes() + " minutes for its state directory: "
                + failure.getMessage()
                + ". Until then frameworks get no offers and no answers; tasks go on");
        try {
            TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    @Override
    public void end() {
        if (waiting) {
            waiting = false;
            warning.accept("");
        }
    }
}
