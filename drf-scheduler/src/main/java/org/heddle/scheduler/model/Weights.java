// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.model;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * The part of its parent that a queue, user or application is entitled to, relative to its siblings; may differ by
 * resource (w_ij of Nexus 4.2).
 *
 * @param base weight for every resource that {@code byResource} does not name, 0 or more
 * @param byResource resource name to weight, 0 or more
 */
public record Weights(double base, Map<String, Double> byResource) {
    public static final Weights ONE = new Weights(1.0, Map.of());

    public Weights {
        byResource = Collections.unmodifiableMap(new TreeMap<>(byResource));
    }

    public static Weights of(double base) {
        return new Weights(base, Map.of());
    }

    public double of(String resource) {
        return byResource.getOrDefault(resource, base);
    }
}
