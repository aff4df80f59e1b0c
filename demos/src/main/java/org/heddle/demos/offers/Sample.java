// SPDX-License-Identifier: Apache-2.0
package org.heddle.demos.offers;

import java.util.List;
import java.util.Map;

/**
 * One look at the cluster.
 *
 * @param seconds since the first framework came
 * @param shares dominant share, 0 to 1, by tenant; none for those that are not there
 * @param fair what the share should be, 0 to 1, by tenant; empty where nothing is expected
 */
record Sample(double seconds, Map<String, Double> shares, Map<String, Double> fair) {
    double share(String tenant) {
        return shares.getOrDefault(tenant, 0.0);
    }

    /** The mean share of a tenant from a moment on; 0 without samples. */
    static double mean(List<Sample> samples, String tenant, double from) {
        return samples.stream()
                .filter(sample -> sample.seconds() >= from)
                .mapToDouble(sample -> sample.share(tenant))
                .average()
                .orElse(0);
    }
}
