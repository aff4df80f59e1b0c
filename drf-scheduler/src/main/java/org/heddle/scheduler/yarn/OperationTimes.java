// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn;

import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/** How often an operation ran, and how long it took in all, for monitoring. Any thread. */
final class OperationTimes {
    private final LongAdder count = new LongAdder();
    private final LongAdder nanos = new LongAdder();

    /** @param beganNanos {@link System#nanoTime} when it began */
    void endedNow(long beganNanos) {
        count.increment();
        nanos.add(System.nanoTime() - beganNanos);
    }

    /** Adds both as counters: {@code NAMEs} and {@code NAME-micros}. */
    void putInto(Map<String, Long> counters, String name) {
        counters.put(name + "s", count.sum());
        counters.put(name + "-micros", TimeUnit.NANOSECONDS.toMicros(nanos.sum()));
    }
}
