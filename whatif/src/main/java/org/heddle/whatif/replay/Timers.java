// SPDX-License-Identifier: Apache-2.0
package org.heddle.whatif.replay;

import java.util.Comparator;
import java.util.PriorityQueue;

/** What happens at which time; of the same time, in the order in which it was planned. */
final class Timers {
    private record Timer(long millis, long order, Runnable action) {}

    private final PriorityQueue<Timer> timers =
            new PriorityQueue<>(Comparator.comparingLong(Timer::millis).thenComparingLong(Timer::order));
    private long planned;

    void at(long millis, Runnable action) {
        timers.add(new Timer(millis, planned++, action));
    }

    /** Does all that is due, also what this plans for now. */
    void run(long nowMillis) {
        for (Timer first = timers.peek(); first != null && first.millis() <= nowMillis; first = timers.peek()) {
            timers.remove();
            first.action().run();
        }
    }

    boolean isEmpty() {
        return timers.isEmpty();
    }

    /** When something happens next; {@code Long.MAX_VALUE} if nothing does. */
    long next() {
        Timer first = timers.peek();
        return first == null ? Long.MAX_VALUE : first.millis();
    }
}
