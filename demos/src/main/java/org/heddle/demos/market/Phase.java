// SPDX-License-Identifier: Apache-2.0
package org.heddle.demos.market;

import java.util.List;

/**
 * A time in which no bid changes and no account runs out of credits.
 *
 * @param name for people to read
 * @param from seconds since the streams began
 * @param to end, exclusive
 */
record Phase(String name, double from, double to) {
    /** What belongs to it once things have settled, and while all that pay ask for more. */
    List<Sample> settled(List<Sample> samples) {
        return samples.stream()
                .filter(sample -> sample.seconds() >= from + MarketScenario.SETTLE_SECONDS
                        && sample.seconds() < to
                        && sample.isContended())
                .toList();
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
