// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import org.heddle.scheduler.yarn.compat.InvalidAsk;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps our exceptions away from the ResourceManager's dispatcher, which would end the process. What went wrong is
 * logged in full once for each place in the code, and counted every time. Errors that a wrong jar causes are contained
 * like exceptions; only the machine's own (no memory left) are not.
 */
final class EventGuard {
    private static final Logger LOG = LoggerFactory.getLogger(EventGuard.class);

    private final LongAdder contained = new LongAdder();
    private final Map<String, LongAdder> byPlace = new ConcurrentHashMap<>();

    /** Runs something; an exception goes no further. */
    void run(Supplier<String> what, Runnable action) {
        get(
                what,
                () -> {
                    action.run();
                    return Boolean.TRUE;
                },
                Boolean.FALSE);
    }

    /** The same for something that has a result; {@code otherwise} if it fails. */
    <T> T get(Supplier<String> what, Supplier<T> action, T otherwise) {
        try {
            return action.get();
        } catch (RuntimeException | LinkageError | AssertionError | StackOverflowError e) {
            contain(what.get(), e);
            return otherwise;
        }
    }

    /** The same for the call of an ApplicationMaster, which is to see why its ask is refused. */
    <T> T getUnlessRefused(Supplier<String> what, Supplier<T> action, T otherwise) {
        try {
            return action.get();
        } catch (RuntimeException | LinkageError | AssertionError | StackOverflowError e) {
            if (e instanceof RuntimeException refusal && InvalidAsk.isOne(refusal)) {
                throw refusal;
            }
            contain(what.get(), e);
            return otherwise;
        }
    }

    /** Logs and counts something that has been caught. */
    void contain(String what, Throwable e) {
        contained.increment();
        StackTraceElement[] trace = e.getStackTrace();
        String place = e.getClass().getName() + " at " + (trace.length == 0 ? "?" : trace[0]);
        LongAdder count = byPlace.computeIfAbsent(place, unused -> new LongAdder());
        count.increment();
        if (count.sum() == 1) {
            LOG.error("Contained an error while handling {}; the same will only be counted from now on", what, e);
        } else {
            LOG.debug("Contained {} for the {}th time, while handling {}", place, count, what);
        }
    }

    /** Exceptions contained since start. */
    long contained() {
        return contained.sum();
    }
}
