// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.config.capacity;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.heddle.scheduler.model.Amounts;
import org.jspecify.annotations.Nullable;

/**
 * How much of the cluster a queue has or may have, with the capacities of the queues above multiplied in.
 *
 * @param part part of the cluster; null where only amounts count
 * @param amounts resource name to units
 */
record CapacityExtent(@Nullable BigDecimal part, Map<String, Long> amounts) {
    /** More digits than CapacityScheduler's floats have, and few enough that 0.1 stays 0.1 on paper. */
    private static final MathContext DIGITS = new MathContext(12);

    static final CapacityExtent CLUSTER = new CapacityExtent(BigDecimal.ONE, Map.of());

    static CapacityExtent ofAmounts(Map<String, Long> amounts) {
        return new CapacityExtent(null, Map.copyOf(amounts));
    }

    /** A part of it. */
    CapacityExtent times(BigDecimal factor) {
        Map<String, Long> multiplied = new TreeMap<>();
        amounts.forEach((resource, units) -> multiplied.put(
                resource, BigDecimal.valueOf(units).multiply(factor).longValue()));
        return new CapacityExtent(part == null ? null : rounded(part.multiply(factor)), Map.copyOf(multiplied));
    }

    static BigDecimal rounded(BigDecimal number) {
        return number.round(DIGITS).stripTrailingZeros();
    }

    static BigDecimal ratio(BigDecimal one, BigDecimal all) {
        return one.divide(all, DIGITS);
    }

    /** The same, but of a resource that is named here no more than this. */
    CapacityExtent atMost(Map<String, Long> limit) {
        Map<String, Long> least = new TreeMap<>(amounts);
        limit.forEach((resource, units) -> least.merge(resource, units, Math::min));
        return new CapacityExtent(part, Map.copyOf(least));
    }

    boolean isNothing() {
        return amounts.isEmpty() && (part == null || part.signum() == 0);
    }

    /**
     * As an amount of the specification.
     *
     * @param counted the resources of which a part counts
     */
    Amounts amounts(Set<String> counted) {
        Map<String, Double> fraction = new TreeMap<>();
        if (part != null && part.compareTo(BigDecimal.ONE) < 0) {
            counted.forEach(resource -> fraction.put(resource, part.doubleValue()));
        }
        return new Amounts(amounts, fraction);
    }

    /** As a guarantee, of which also the whole counts. */
    Amounts guarantee(Set<String> counted) {
        Map<String, Double> fraction = new TreeMap<>();
        if (part != null && part.signum() > 0) {
            counted.forEach(
                    resource -> fraction.put(resource, part.min(BigDecimal.ONE).doubleValue()));
        }
        return new Amounts(amounts, fraction);
    }
}
