// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.master.state;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/** Counters of {@code /metrics}. Thread-safe. */
public final class Counters {
    private final Map<String, LongAdder> counters = new ConcurrentHashMap<>();

    public void count(String name) {
        counters.computeIfAbsent(name, key -> new LongAdder()).increment();
    }

    public Map<String, Long> values() {
        Map<String, Long> values = new TreeMap<>();
        counters.forEach((name, counter) -> values.put(name, counter.sum()));
        return values;
    }
}
