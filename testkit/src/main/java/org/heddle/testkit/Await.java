// SPDX-License-Identifier: Apache-2.0
package org.heddle.testkit;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Waits for something that another thread or process brings about: polls until it is so or a deadline has passed, and
 * then fails with a sentence that says what was waited for and what was seen instead.
 *
 * <p>A deadline is what is enough on a machine that does nothing else. On a busy one it stretches ({@link LoadFactor}):
 * twice as long at least, and twenty times at most.
 */
public final class Await {
    private static final Duration POLL = Duration.ofMillis(20);

    /** Conditions that do not hold by then are checked less often, because checking takes time from the daemons. */
    private static final Duration SOON = Duration.ofSeconds(2);

    private static final Duration LATER_POLL = Duration.ofMillis(100);

    private Await() {}

    /** Something that can be asked again and again. */
    @FunctionalInterface
    public interface Condition {
        boolean holds() throws Exception;
    }

    /**
     * Waits until the condition holds.
     *
     * @param what completes the sentence "waited 20.1 s for ..."
     * @throws AssertionError when it does not hold by the deadline, or when asking failed at the deadline
     */
    public static void until(String what, Duration deadline, Condition condition) {
        until(what, deadline, condition, () -> "nothing more is known");
    }

    /**
     * Waits until the condition holds.
     *
     * @param what completes the sentence "waited 20.1 s for ..."
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

    /**
     * Waits until the process has ended, and returns its exit code.
     *
     * @throws AssertionError when it runs on; it is killed then
     */
    public static int exit(String what, Duration deadline, Process process) {
        return exit(what, deadline, process, process::toString);
    }

    /**
     * Waits until the process has ended, and returns its exit code.
     *
     * @param seen what is seen instead, for the message
     * @throws AssertionError when it runs on; it is killed then
     */
    public static int exit(String what, Duration deadline, Process process, Supplier<String> seen) {
        try {
            return value(what + " to end", deadline, () -> process.isAlive() ? null : process.exitValue(), seen);
        } finally {
            process.destroyForcibly();
        }
    }

    /** Waits until the result is there, and returns it. */
    public static <T> T result(String what, Duration deadline, Future<T> future) throws ExecutionException {
        until(what, deadline, future::isDone);
        try {
            return future.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while waiting for " + what, e);
        }
    }

    /** The same time as a deadline here lasts at this moment, for calls that only take a time. */
    public static Duration stretched(Duration deadline) {
        return LoadFactor.stretched(deadline);
    }

    /**
     * Waits until {@code probe} answers with something other than null, and returns that.
     *
     * @param seen describes the state at the deadline; asked only then
     */
    public static <T> T value(String what, Duration deadline, Callable<@Nullable T> probe, Supplier<String> seen) {
        long begin = System.nanoTime();
        LoadFactor.Watch watch = new LoadFactor.Watch();
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
            Duration waited = Duration.ofMillis((System.nanoTime() - begin) / 1_000_000);
            if (watch.isOver(deadline)) {
                String state = (problem == null ? "" : "asking failed: " + problem + "; ") + seen.get();
                throw new AssertionError(
                        "waited " + seconds(waited) + " for " + what + ", where an idle machine would get "
                                + seconds(deadline) + ": " + state,
                        problem);
            }
            if (Thread.currentThread().isInterrupted()) {
                throw new IllegalStateException("interrupted while waiting for " + what);
            }
            LockSupport.parkNanos((waited.compareTo(SOON) < 0 ? POLL : LATER_POLL).toNanos());
        }
    }

    private static String seconds(Duration duration) {
        long millis = duration.toMillis();
        return millis % 1000 == 0
                ? duration.toSeconds() + " s"
                : millis < 1000 ? millis + " ms" : millis / 1000.0 + " s";
    }
}
