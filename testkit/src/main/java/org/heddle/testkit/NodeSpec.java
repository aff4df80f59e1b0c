// SPDX-License-Identifier: Apache-2.0
package org.heddle.testkit;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * A NodeManager to be started.
 *
 * @param host the name under which the ResourceManager knows it: letters, digits, {@code -} and {@code .}, or an
 *     address in 127.0.0.0/8
 * @param rack its rack, {@code /default-rack} where racks do not matter
 * @param resources resource name (YARN's: {@code memory-mb}, {@code vcores}, {@code yarn.io/gpu} ..) to units, 0 or
 *     more; it is declared, not measured, and may exceed the machine
 */
public record NodeSpec(String host, String rack, Map<String, Long> resources) {
    static final String DEFAULT_RACK = "/default-rack";
    static final String MEMORY = "memory-mb";
    static final String VCORES = "vcores";

    public NodeSpec {
        if (!host.matches("[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?")) {
            throw new IllegalArgumentException(
                    "host \"" + host + "\": use letters, digits, '-' and '.', for example node1");
        }
        if (!rack.matches("(/[^/\\s]+)+")) {
            throw new IllegalArgumentException("rack \"" + rack + "\" of " + host + ": use a path such as /rack1");
        }
        resources = Collections.unmodifiableMap(new TreeMap<>(resources));
        requireAmount(host, resources, MEMORY);
        requireAmount(host, resources, VCORES);
        resources.forEach((name, amount) -> {
            if (amount < 0) {
                throw new IllegalArgumentException(name + " of " + host + " = " + amount + ": must be 0 or more");
            }
        });
    }

    private static void requireAmount(String host, Map<String, Long> resources, String name) {
        Long amount = resources.get(name);
        if (amount == null || amount < 1 || amount > Integer.MAX_VALUE) {
            throw new IllegalArgumentException(name + " of " + host + " = " + amount + ": give a number from 1 to "
                    + Integer.MAX_VALUE + "; the others given are " + resources.keySet());
        }
    }
}
