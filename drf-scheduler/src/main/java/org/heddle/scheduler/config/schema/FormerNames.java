// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.config.schema;

import java.util.Arrays;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The names that elements and attributes of {@code heddle-scheduler.xml} had before the first release. They have no
 * effect; a file or an edit that uses one gets an error with the present name.
 */
public final class FormerNames {
    private static final Map<String, String> PRESENT = Map.ofEntries(
            Map.entry("manners", "compatibility"),
            Map.entry("half-of-room", "dynamic-max-assign"),
            Map.entry("weigh-by-size", "size-based-weight"),
            Map.entry("increments", "increment-allocation"),
            Map.entry("waits", "scheduling-delays"),
            Map.entry("node-skips", "node-locality-threshold"),
            Map.entry("rack-skips", "rack-locality-threshold"),
            Map.entry("revocation", "preemption"),
            Map.entry("grace", "grace-period"),
            Map.entry("reservation-stuck", "reservation-timeout"),
            Map.entry("min-utilization", "cluster-utilization-threshold"),
            Map.entry("masters", "application-masters"),
            Map.entry("each", "default"),
            Map.entry("revocable", "allow-preemption-from"),
            Map.entry("below-guarantee", "guarantee-preemption-timeout"),
            Map.entry("below-share", "fair-share-preemption-timeout"),
            Map.entry("share-threshold", "fair-share-preemption-threshold"),
            Map.entry("share-restored", "fair-share-preemption-target"),
            Map.entry("max-container", "max-container-allocation"),
            Map.entry("max-new-queue", "max-child-resources"),
            Map.entry("application-lifetime", "default-application-lifetime"));

    private FormerNames() {}

    /** The present name of an element or attribute; null if it never had another. */
    public static @Nullable String present(String former) {
        return PRESENT.get(former);
    }

    /** A key of an edit, such as {@code waits.node-locality}, with present names in it. */
    public static String presentKey(String key) {
        return Arrays.stream(key.split("\\.", -1))
                .map(name -> PRESENT.getOrDefault(name, name))
                .collect(Collectors.joining("."));
    }
}
