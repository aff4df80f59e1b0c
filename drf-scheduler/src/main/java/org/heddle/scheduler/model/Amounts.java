// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.model;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * A limit as an administrator writes it: per resource type an absolute amount or a fraction of the cluster.
 * A type that is not named is not limited.
 *
 * @param absolute resource name (YARN's: {@code memory-mb}, {@code vcores}, {@code yarn.io/gpu} ..) to units
 * @param fraction resource name to a fraction of the cluster's total, 0 to 1
 */
public record Amounts(Map<String, Long> absolute, Map<String, Double> fraction) {
    public static final Amounts UNLIMITED = new Amounts(Map.of(), Map.of());

    public Amounts {
        absolute = Collections.unmodifiableMap(new TreeMap<>(absolute));
        fraction = Collections.unmodifiableMap(new TreeMap<>(fraction));
    }

    public boolean isUnlimited() {
        return absolute.isEmpty() && fraction.isEmpty();
    }

    /** Both limits together: per resource the smaller amount and the smaller part. */
    public Amounts smaller(Amounts other) {
        Map<String, Long> units = new TreeMap<>(absolute);
        other.absolute.forEach((resource, amount) -> units.merge(resource, amount, Math::min));
        Map<String, Double> parts = new TreeMap<>(fraction);
        other.fraction.forEach((resource, part) -> parts.merge(resource, part, Math::min));
        return new Amounts(units, parts);
    }

    /** The same amount read as a guarantee: 0 if the type is not named. */
    public long guarantee(String resource, long total) {
        long limit = limit(resource, total);
        return limit == Long.MAX_VALUE ? 0 : limit;
    }

    /** The limit on one resource when the cluster has {@code total} of it; {@code Long.MAX_VALUE} if none. */
    public long limit(String resource, long total) {
        Long fixed = absolute.get(resource);
        Double part = fraction.get(resource);
        long byAmount = fixed == null ? Long.MAX_VALUE : fixed;
        long byPart = part == null ? Long.MAX_VALUE : (long) Math.floor(part * total + 1e-9);
        return Math.min(byAmount, byPart);
    }
}
