// SPDX-License-Identifier: Apache-2.0
package org.heddle.testkit;

import java.lang.management.ManagementFactory;
import java.time.Duration;

/**
 * How long a test may wait on the machine that it runs on. A deadline says what is enough on a machine that does
 * nothing else, and a test must not fail because something else runs: so time counts less the more processes there are
 * for each processor. Never more than a {@link #MOST 20th} of real time, so that what hangs fails in the end.
 */
final class LoadFactor {
    /** The system's load average lags behind by a minute, so that even an idle machine gets twice the time. */
    static final double LEAST = 2;

    static final double MOST = 20;

    private LoadFactor() {}

    /** Factor by which a deadline is extended now, because the machine is busy; 1 on an idle machine. */
    static double factor() {
        return factor(
                ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage(),
                Runtime.getRuntime().availableProcessors());
    }

    /** @param load processes that run or want to run, below 0 if unknown */
    static double factor(double load, int processors) {
        return Math.min(MOST, Math.max(LEAST, LEAST * load / processors));
    }

    static Duration stretched(Duration deadline) {
        return Duration.ofNanos((long) (deadline.toNanos() * factor()));
    }

    /** Adds up time as it counts. */
    static final class Watch {
        private long last = System.nanoTime();
        private double counted;

        /**
         * Whether the deadline has passed; to be asked again and again, since the machine may become busy meanwhile.
         */
        boolean isOver(Duration deadline) {
            long now = System.nanoTime();
            counted += (now - last) / factor();
            last = now;
            return counted >= deadline.toNanos();
        }
    }
}
