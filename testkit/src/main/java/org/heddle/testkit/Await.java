// SPDX-License-Identifier: Apache-2.0
package org.heddle.testkit;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Waits for something that another thread or process brings about: polls until it is so or a deadline has passed, and
 * then fails with a sentence that says what was waited for and what was seen instead.
 */
public final class Await {
    private static final Duration POLL = Duration.ofMillis(20);

    private Await() {}

    /** Something that can be asked again and again. */
    @FunctionalInterface
    public interface Condition {
        boolean holds() throws Exception;
    }

    /**
     * Waits until the condition holds.
     *
     * @param what completes the sentence "waited 10 s for ..."
     * @throws AssertionError when it does not hold by the deadline, or when asking failed at the deadline
     */
    public static void until(String what, Duration deadline, Condition condition) {
        until(what, deadline, condition, () -> "nothing more is known");
    }

    /**
     * Waits until the condition holds.
     *
     * @param what completes the sentence "waited 10 s for ..."
     * @param seen describes the state at the deadline; asked only then
     * @throws AssertionError when it does not hold by the deadline
     */
    public static void until(String what, Duration deadline, Condition condition, Supplier<String> seen) {
        value(what, deadline, () -> condition.holds() ? Boolean.TRUE : null, seen);
    }

    /** Waits until {@code probe} answers with something other than null, and returns that. */
    public static <T> T value(String what, Duration deadline, Callable<@Nullable T> probe) {
        return value(what, deadline, probe, () -> "no value");
    }

    private static <T> T value(String what, Duration deadline, Callable<@Nullable T> probe, Supplier<String> seen) {
        long end = System.nanoTime() + deadline.toNanos();
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
            if (System.nanoTime() - end >= 0) {
                String state = problem == null ? seen.get() : "asking failed: " + problem;
                throw new AssertionError("waited " + seconds(deadline) + " for " + what + ": " + state, problem);
            }
            if (Thread.currentThread().isInterrupted()) {
                throw new IllegalStateException("interrupted while waiting for " + what);
            }
            LockSupport.parkNanos(POLL.toNanos());
        }
    }

    private static String seconds(Duration duration) {
        return duration.toMillis() % 1000 == 0 ? duration.toSeconds() + " s" : duration.toMillis() + " ms";
    }
}
