// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.sharing;

import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import java.util.Set;

/**
 * The shares of a moment.
 *
 * @param second since the samples began
 * @param shares dominant shares, from 0 to 1, of the frameworks that have an application
 */
record ShareSample(double second, Map<Framework, Double> shares) {
    ShareSample {
        Map<Framework, Double> copy = new EnumMap<>(Framework.class);
        copy.putAll(shares);
        shares = Collections.unmodifiableMap(copy);
    }

    /** The frameworks that have an application. */
    Set<Framework> present() {
        return shares.keySet();
    }

    double share(Framework framework) {
        return shares.getOrDefault(framework, 0.0);
    }

    /** The share that a framework should have beside those that are present. */
    double fairShare(Framework framework) {
        return Framework.fairShares(present()).getOrDefault(framework, 0.0);
    }

    /** The part of the cluster that is in use. */
    double inUse() {
        return shares.values().stream().mapToDouble(Double::doubleValue).sum();
    }
}
