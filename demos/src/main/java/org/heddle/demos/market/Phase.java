// SPDX-License-Identifier: Apache-2.0
package org.heddle.demos.market;

import java.util.ArrayList;
import java.util.List;

/**
 * A time in which no bid changes and no account runs out of credits.
 *
 * @param name for people to read
 * @param from seconds since the streams began
 * @param to end, exclusive
 */
record Phase(String name, double from, double to) {
    /**
     * What belongs to it once things have settled: all that pay have asked for tasks for some time without a break. A
     * user whose next master was starting asks for nothing, and gets its slots back only as the tasks of others end.
     */
    List<Sample> settled(List<Sample> samples) {
        List<Sample> settled = new ArrayList<>();
        double since = from + MarketScenario.SETTLE_SECONDS;
        for (Sample sample : samples) {
            if (sample.seconds() >= from && sample.seconds() < to) {
                if (!sample.isContended()) {
                    since = Math.max(since, sample.seconds() + MarketScenario.AGAIN_SECONDS);
                } else if (sample.seconds() >= since) {
                    settled.add(sample);
                }
            }
        }
        return settled;
    }

    static double used(List<Sample> samples, String user) {
        return samples.stream()
                .mapToDouble(sample -> sample.of(user).used())
                .average()
                .orElse(0);
    }

    static double entitled(List<Sample> samples, String user) {
        return samples.stream()
                .mapToDouble(sample -> sample.of(user).entitled())
                .average()
                .orElse(0);
    }
}
