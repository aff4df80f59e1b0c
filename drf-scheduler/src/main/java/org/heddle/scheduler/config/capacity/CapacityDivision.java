// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.config.capacity;

import java.math.BigDecimal;
import java.util.Collection;
import java.util.Collections;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.heddle.scheduler.config.capacity.CapacityAmount.Kind;
import org.heddle.scheduler.model.Amounts;
import org.heddle.scheduler.model.Weights;
import org.jspecify.annotations.Nullable;

/**
 * What the children of a queue have of its capacity, each resource by itself: amounts come first, then percentages of
 * what they leave, and weights divide the rest.
 */
final class CapacityDivision {
    private final CapacityExtent whole;
    private final boolean sameForAll;
    private final Map<String, Sums> sums;

    /**
     * What the children say of a resource together.
     *
     * @param percents sum of the percentages
     * @param weights sum of the weights
     * @param amounts sum of the amounts, in units
     */
    private record Sums(BigDecimal percents, BigDecimal weights, BigDecimal amounts) {
        static Sums of(String resource, Collection<CapacityAmount> written) {
            BigDecimal percents = BigDecimal.ZERO;
            BigDecimal weights = BigDecimal.ZERO;
            BigDecimal amounts = BigDecimal.ZERO;
            for (CapacityAmount amount : written) {
                CapacityAmount one = amount.of(resource);
                switch (one.kind()) {
                    case PERCENT -> percents = percents.add(one.number());
                    case WEIGHT -> weights = weights.add(one.number());
                    case AMOUNTS -> amounts = amounts.add(one.number());
                    case NOT_SET, MIXED -> {}
                }
            }
            return new Sums(percents, weights, amounts);
        }

        boolean areMixed() {
            return amounts.signum() > 0 && (percents.signum() > 0 || weights.signum() > 0);
        }

        /** The part of the whole that a child has; null if it depends on the size of the cluster. */
        @Nullable
        BigDecimal factor(CapacityAmount one) {
            BigDecimal percent = switch (one.kind()) {
                case PERCENT -> one.number();
                case WEIGHT -> ofRest(one.number());
                case NOT_SET, AMOUNTS, MIXED -> null;
            };
            return percent == null || areMixed() ? null : percent.movePointLeft(2);
        }

        /** A weight beside siblings: as it is, or a percentage where some of them have percentages. */
        BigDecimal weight(BigDecimal own) {
            return percents.signum() > 0 && !areMixed() ? ofRest(own) : own;
        }

        /** The percentage that an amount is of all amounts; null if they are 0. */
        @Nullable
        BigDecimal ofAmounts(BigDecimal own) {
            if (amounts.signum() == 0) {
                return null;
            }
            return CapacityExtent.rounded(CapacityExtent.ratio(own.multiply(CapacityAmount.HUNDRED), amounts));
        }

        /** The percentage that a weight gets of what percentages leave. */
        BigDecimal ofRest(BigDecimal weight) {
            if (weights.signum() == 0) {
                return weights;
            }
            BigDecimal rest = CapacityAmount.HUNDRED.subtract(percents).max(BigDecimal.ZERO);
            return CapacityExtent.ratio(weight.multiply(rest), weights);
        }
    }

    /**
     * @param whole the capacity of the queue
     * @param written what its children say
     * @param resources all resource types of the cluster
     */
    CapacityDivision(CapacityExtent whole, Collection<CapacityAmount> written, Set<String> resources) {
        this.whole = whole;
        this.sameForAll =
                written.stream().allMatch(amount -> amount.byResource().isEmpty());
        this.sums = resources.stream()
                .collect(Collectors.toMap(resource -> resource, resource -> Sums.of(resource, written)));
    }

    /**
     * What a child has. What it has of a rest that amounts leave depends on the size of the cluster, and is left out.
     */
    CapacityExtent capacity(CapacityAmount own) {
        if (own.kind() == Kind.NOT_SET) {
            return whole.times(BigDecimal.ZERO);
        }
        Map<String, BigDecimal> factors = new TreeMap<>();
        sums.forEach((resource, sum) -> {
            BigDecimal factor = sum.factor(own.of(resource));
            if (factor != null) {
                factors.put(resource, factor);
            }
        });
        if (sameForAll) {
            return whole.times(Collections.max(factors.values()));
        }
        if (factors.isEmpty()) {
            return CapacityExtent.ofAmounts(own.amounts());
        }
        return whole.times(factors).with(own.amounts());
    }

    /** Its weight among its siblings, as a percentage where this can be said. */
    Weights weight(CapacityAmount own) {
        Map<String, Double> weights = new TreeMap<>();
        sums.forEach((resource, sum) -> {
            CapacityAmount one = own.of(resource);
            BigDecimal weight = switch (one.kind()) {
                case PERCENT -> one.number();
                case WEIGHT -> sum.weight(one.number());
                case AMOUNTS -> sum.ofAmounts(one.number());
                case NOT_SET, MIXED -> null;
            };
            if (weight != null) {
                weights.put(resource, weight.doubleValue());
            }
        });
        double largest =
                weights.values().stream().mapToDouble(weight -> weight).max().orElse(0);
        boolean equal = weights.values().stream().allMatch(weight -> weight == largest);
        return equal ? Weights.of(largest) : new Weights(largest, weights);
    }

    /** Of resources of which some children have amounts and some not: its amount, or its part of what they leave. */
    Amounts fixed(CapacityAmount own) {
        Map<String, Long> units = new TreeMap<>();
        Map<String, Double> parts = new TreeMap<>();
        sums.forEach((resource, sum) -> {
            CapacityAmount one = own.of(resource);
            if (sum.areMixed() && one.kind() == Kind.AMOUNTS) {
                units.put(resource, one.number().longValueExact());
            } else if (sum.areMixed() && one.kind() == Kind.PERCENT) {
                parts.put(resource, one.number().movePointLeft(2).doubleValue());
            }
        });
        return new Amounts(units, parts);
    }
}
