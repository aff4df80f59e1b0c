// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.takeover;

import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.heddle.testkit.Await;

/** What has happened since a kill, and after how many seconds. Any thread may tell it. */
final class Timeline {
    private static final Duration PATIENCE = Duration.ofMinutes(4);

    private final Map<String, Double> seconds = new ConcurrentHashMap<>();
    private volatile long began = System.nanoTime();

    /** Forgets everything: the kill comes now. */
    void begin() {
        seconds.clear();
        began = System.nanoTime();
    }

    /** It has happened now, unless it has happened before. */
    void reached(String what) {
        seconds.putIfAbsent(what, (System.nanoTime() - began) / 1e9);
    }

    boolean has(String what) {
        return seconds.containsKey(what);
    }

    /**
     * Waits until all has happened.
     *
     * @param wanted in the order of the columns
     * @param looked what nobody tells, and when it has happened: looked at again and again; an IOException means not
     *     yet
     * @param seen what is known besides, for the message of a failure
     * @return seconds by what has happened
     */
    Map<String, Double> await(List<String> wanted, Map<String, Await.Condition> looked, Supplier<String> seen) {
        Await.until(
                "the end of the takeover",
                PATIENCE,
                () -> {
                    for (Map.Entry<String, Await.Condition> look : looked.entrySet()) {
                        if (!has(look.getKey()) && holds(look.getValue())) {
                            reached(look.getKey());
                        }
                    }
                    return seconds.keySet().containsAll(wanted);
                },
                () -> "after seconds: " + seconds + "; " + seen.get());
        Map<String, Double> ordered = new LinkedHashMap<>();
        wanted.forEach(what -> ordered.put(what, seconds.getOrDefault(what, Double.NaN)));
        return ordered;
    }

    private static boolean holds(Await.Condition condition) throws Exception {
        try {
            return condition.holds();
        } catch (IOException e) {
            return false; // nobody answers at the moment
        }
    }
}
