// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.config.capacity;

import java.util.HashMap;
import java.util.Map;
import java.util.SortedMap;

/** Reads the largest container of a queue: what a queue does not say of a resource, the one above says. */
final class CapacityAllocations {
    private static final String ALL = "maximum-allocation";
    private static final Map<String, String> OF_ONE =
            Map.of("memory-mb", "maximum-allocation-mb", "vcores", "maximum-allocation-vcores");

    private final CapacityProperties properties;
    private final SortedMap<String, String> resources;

    CapacityAllocations(CapacityProperties properties, SortedMap<String, String> resources) {
        this.properties = properties;
        this.resources = resources;
    }

    /** Resource name to units, for a queue below one that has these. */
    Map<String, Long> inside(CapacityQueue queue, Map<String, Long> above) {
        Map<String, Long> most = new HashMap<>(above);
        Map<String, Long> together = properties.value(queue.key(ALL), this::amounts, Map.of());
        OF_ONE.forEach((resource, property) -> {
            long units = properties.longCount(queue.key(property), -1);
            if (units >= 0 && together.isEmpty()) {
                most.put(resource, units);
            }
        });
        most.putAll(together);
        return most;
    }

    private Map<String, Long> amounts(String text) {
        CapacityAmount most = CapacityAmount.parse("[" + text + "]", resources);
        if (most.kind() != CapacityAmount.Kind.AMOUNTS) {
            throw new IllegalArgumentException("must be amounts, such as memory-mb=8192,vcores=4");
        }
        return most.amounts();
    }
}
