// SPDX-License-Identifier: Apache-2.0
package org.heddle.acceptance;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Waits for what other processes bring about: asks again and again until it is so or a deadline has passed. */
public final class Await {
    private static final Duration POLL = Duration.ofMillis(150);

    private Await() {}

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
                String state = (problem == null ? "" : problem + "; ") + seen.get();
                throw new AssertionError("waited " + deadline.toSeconds() + " s for " + what + ": " + state, problem);
            }
            if (Thread.currentThread().isInterrupted()) {
                throw new IllegalStateException("interrupted while waiting for " + what);
            }
            LockSupport.parkNanos(POLL.toNanos());
        }
    }
}
