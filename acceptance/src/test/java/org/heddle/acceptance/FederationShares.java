// SPDX-License-Identifier: Apache-2.0
package org.heddle.acceptance;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.heddle.testkit.Await;

/**
 * The dominant shares of the leaf queues in the whole federation, as the ResourceManagers' REST says, over a window.
 */
final class FederationShares {
    /** Looks at both sub-clusters whose mean is a window's share. */
    private static final int WINDOW = 20;

    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private final Federation federation;
    private long lastMillis;

    FederationShares(Federation federation) {
        this.federation = federation;
    }

    /** The means of the next window. */
    Map<String, Double> next() {
        List<Map<String, Double>> window = new ArrayList<>();
        Await.until(WINDOW + " looks at the federation", PATIENCE, () -> {
            add(window);
            return window.size() == WINDOW;
        });
        return mean(window);
    }

    /** Waits for a window with these shares, each within a tolerance. */
    void await(Map<String, Double> wanted, double tolerance) {
        List<Map<String, Double>> window = new ArrayList<>();
        Await.until(
                "a window with the shares " + wanted,
                PATIENCE,
                () -> {
                    add(window);
                    if (window.size() > WINDOW) {
                        window.remove(0);
                    }
                    return window.size() == WINDOW && near(mean(window), wanted, tolerance);
                },
                () -> "the last window was " + mean(window));
    }

    /** Waits for two windows, one right after the other, that both have these shares: they do not only pass by. */
    void awaitTwice(Map<String, Double> wanted, double tolerance) {
        Await.until("two windows with the shares " + wanted, PATIENCE.multipliedBy(2), () -> {
            await(wanted, tolerance);
            return near(next(), wanted, tolerance);
        });
    }

    private static boolean near(Map<String, Double> seen, Map<String, Double> wanted, double tolerance) {
        return wanted.entrySet().stream()
                .allMatch(one -> Math.abs(seen.getOrDefault(one.getKey(), 0.0) - one.getValue()) <= tolerance);
    }

    private static Map<String, Double> mean(List<Map<String, Double>> window) {
        Map<String, Double> mean = new TreeMap<>();
        window.forEach(look -> look.forEach((queue, share) -> mean.merge(queue, share / window.size(), Double::sum)));
        return mean;
    }

    /** Adds a look, if both sub-clusters have a newer state than at the last one. */
    private void add(List<Map<String, Double>> window) throws IOException {
        Map<String, Map<String, Long>> usage = new TreeMap<>();
        Map<String, Long> total = new TreeMap<>();
        long oldest = Long.MAX_VALUE;
        for (String name : Federation.NAMES) {
            JsonNode state = federation.subCluster(name).rest("/heddle/v1/scheduler?applications=0");
            oldest = Math.min(oldest, state.path("takenAtMillis").asLong());
            sum(total, state.path("capacity"));
            for (JsonNode queue : state.at("/root/children")) {
                sum(usage.computeIfAbsent(queue.path("name").asText(), any -> new TreeMap<>()), queue.path("usage"));
            }
        }
        if (oldest <= lastMillis) {
            return;
        }
        lastMillis = oldest;
        Map<String, Double> look = new TreeMap<>();
        usage.forEach((queue, amounts) -> look.put(
                queue,
                amounts.entrySet().stream()
                        .mapToDouble(amount -> (double) amount.getValue() / total.getOrDefault(amount.getKey(), 1L))
                        .max()
                        .orElse(0)));
        window.add(look);
    }

    private static void sum(Map<String, Long> sums, JsonNode amounts) {
        amounts.fields()
                .forEachRemaining(one -> sums.merge(one.getKey(), one.getValue().asLong(), Long::sum));
    }
}
