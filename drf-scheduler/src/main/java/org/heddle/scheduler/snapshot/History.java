// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.snapshot;

import java.util.List;
import java.util.Map;

/**
 * Shares of queues over time.
 *
 * @param samples oldest first
 */
public record History(List<Sample> samples) {
    public static final History EMPTY = new History(List.of());

    public History {
        samples = List.copyOf(samples);
    }

    /**
     * The shares at one moment.
     *
     * @param atMillis wall clock, milliseconds since 1970
     * @param shares path of a queue to its dominant share, 0 to 1
     */
    public record Sample(long atMillis, Map<String, Double> shares) {
        public Sample {
            shares = Map.copyOf(shares);
        }
    }
}
