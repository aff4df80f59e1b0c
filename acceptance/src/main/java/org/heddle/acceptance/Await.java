// SPDX-License-Identifier: Apache-2.0
package org.heddle.acceptance;

import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Waits for what other processes bring about: asks again and again until it is so or a deadline has passed. A deadline is
 * what is enough on a machine that does nothing else; on a busy one time counts less, as in the testkit's waits, so that
 * no test fails because something else runs.
 */
public final class Await {
    private static final Duration POLL = Duration.ofMillis(150);

    /** The load average lags behind by a minute, so that even an idle machine gets twice the time. */
    private static final double LEAST = 2;

    private static final double MOST = 20;

    private Await() {}

    /** How many times as long as on an idle machine something may take just now. */
    private static double factor() {
        double load = ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
        return Math.min(
                MOST, Math.max(LEAST, LEAST * load / Runtime.getRuntime().availableProcessors()));
    }

    /** The deadline as it counts at this moment, for calls that only take a time. */
    static Duration stretched(Duration deadline) {
        return Duration.ofMillis((long) (deadline.toMillis() * factor()));
    }

    /** Something that can be asked again and again. */
    @FunctionalInterface
    public interface Condition {
        boolean holds() throws Exception;
    }

    /** Waits until the condition holds; {@code what} completes the sentence "waited 10 s for ...". */
    public static void until(String what, Duration deadline, Condition condition) {
        until(what, deadline, condition, () -> "it is not so");
    }

    /** Waits until the condition holds; {@code seen} says at the deadline what is so instead. */
    public static void until(String what, Duration deadline, Condition condition, Supplier<String> seen) {
        value(what, deadline, () -> condition.holds() ? Boolean.TRUE : null, seen);
    }

    /** Waits until the answer is not null, and returns it. */
    public static <T> T value(String what, Duration deadline, Callable<@Nullable T> probe, Supplier<String> seen) {
        long begin = System.nanoTime();
        long last = begin;
        double counted = 0;
        while (true) {
            Exception problem = null;
            try {
                T found = probe.call();
                if (found != null) {
                    return found;
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException("interrupted while waiting for " + what, e);
            } catch (Exception e) {
                problem = e;
            }
            long now = System.nanoTime();
            counted += (now - last) / factor();
            last = now;
            if (counted >= deadline.toNanos()) {
                String state = (problem == null ? "" : problem + "; ") + seen.get();
                throw new AssertionError(
                        "waited " + (now - begin) / 1_000_000_000 + " s for " + what
                                + ", where an idle machine would get " + deadline.toSeconds() + " s: " + state,
                        problem);
            }
            if (Thread.currentThread().isInterrupted()) {
                throw new IllegalStateException("interrupted while waiting for " + what);
            }
            LockSupport.parkNanos(POLL.toNanos());
        }
    }
}
