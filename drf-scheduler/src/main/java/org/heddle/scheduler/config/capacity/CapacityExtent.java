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
 * @param part part of the cluster; null where only the others count
 * @param parts resource name to the part, where it is not the same for all
 * @param amounts resource name to units
 */
record CapacityExtent(@Nullable BigDecimal part, Map<String, BigDecimal> parts, Map<String, Long> amounts) {
    /** More digits than CapacityScheduler's floats have, and few enough that 0.1 stays 0.1 on paper. */
    private static final MathContext DIGITS = new MathContext(12);

    static final CapacityExtent CLUSTER = new CapacityExtent(BigDecimal.ONE, Map.of(), Map.of());

    static CapacityExtent ofAmounts(Map<String, Long> amounts) {
        return new CapacityExtent(null, Map.of(), Map.copyOf(amounts));
    }

    /** A part of it. */
    CapacityExtent times(BigDecimal factor) {
        Map<String, BigDecimal> smaller = new TreeMap<>();
        parts.forEach((resource, of) -> smaller.put(resource, rounded(of.multiply(factor))));
        Map<String, Long> multiplied = new TreeMap<>();
        amounts.forEach((resource, units) -> multiplied.put(resource, times(units, factor)));
        return new CapacityExtent(
                part == null ? null : rounded(part.multiply(factor)), Map.copyOf(smaller), Map.copyOf(multiplied));
    }

    /** Another part of each resource, and nothing of those without one. */
    CapacityExtent times(Map<String, BigDecimal> factors) {
        Map<String, BigDecimal> smaller = new TreeMap<>();
        Map<String, Long> multiplied = new TreeMap<>();
        factors.forEach((resource, factor) -> {
            BigDecimal of = part(resource);
            Long units = amounts.get(resource);
            if (of != null) {
                smaller.put(resource, rounded(of.multiply(factor)));
            }
            if (units != null) {
                multiplied.put(resource, times(units, factor));
            }
        });
        return new CapacityExtent(null, Map.copyOf(smaller), Map.copyOf(multiplied));
    }

    private static long times(long units, BigDecimal factor) {
        return BigDecimal.valueOf(units).multiply(factor).longValue();
    }

    /** The part of one resource; null where only an amount counts. */
    private @Nullable BigDecimal part(String resource) {
        BigDecimal own = parts.get(resource);
        return own == null ? part : own;
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
        return new CapacityExtent(part, parts, Map.copyOf(least));
    }

    /** With these amounts in addition. */
    CapacityExtent with(Map<String, Long> more) {
        Map<String, Long> all = new TreeMap<>(amounts);
        all.putAll(more);
        return new CapacityExtent(part, parts, Map.copyOf(all));
    }

    boolean isNothing() {
        boolean none = parts.values().stream().allMatch(of -> of.signum() == 0);
        return amounts.isEmpty() && none && (part == null || part.signum() == 0);
    }

    /**
     * As an amount of the specification.
     *
     * @param counted the resources of which a part counts
     */
    Amounts amounts(Set<String> counted) {
        Map<String, Double> fraction = new TreeMap<>();
        for (String resource : counted) {
            BigDecimal of = part(resource);
            if (of != null && of.compareTo(BigDecimal.ONE) < 0) {
                fraction.put(resource, of.doubleValue());
            }
        }
        return new Amounts(amounts, fraction);
    }

    /** As a guarantee, of which also the whole counts. */
    Amounts guarantee(Set<String> counted) {
        Map<String, Double> fraction = new TreeMap<>();
        for (String resource : counted) {
            BigDecimal of = part(resource);
            if (of != null && of.signum() > 0) {
                fraction.put(resource, of.min(BigDecimal.ONE).doubleValue());
            }
        }
        return new Amounts(amounts, fraction);
    }
}
