// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.config.capacity;

import java.math.BigDecimal;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.heddle.scheduler.config.KnownNames;
import org.heddle.scheduler.config.schema.ResourceAmount;

/**
 * A capacity as {@code capacity-scheduler.xml} writes it: {@code 40} percent, a weight such as {@code 3w}, amounts such
 * as {@code [memory=10240,vcores=12]}, or one of them for each resource, such as {@code [memory=50%,vcores=12]}.
 *
 * @param kind which of them
 * @param number the percentage, the weight or, of one resource, the amount
 * @param byResource resource name to what is written for it; empty where the same is for all
 */
record CapacityAmount(Kind kind, BigDecimal number, SortedMap<String, CapacityAmount> byResource) {
    enum Kind {
        NOT_SET,
        PERCENT,
        WEIGHT,
        AMOUNTS,
        /** Not an amount for each resource. */
        MIXED
    }

    static final BigDecimal HUNDRED = BigDecimal.valueOf(100);
    static final CapacityAmount NOT_SET = new CapacityAmount(Kind.NOT_SET, BigDecimal.ZERO);
    static final CapacityAmount ALL = new CapacityAmount(Kind.PERCENT, HUNDRED);

    private static final BigDecimal LARGEST_WEIGHT = BigDecimal.valueOf(10_000);
    private static final Pattern WHOLE = Pattern.compile("\\d{1,15}");
    private static final Map<String, String> OWN_NAMES = Map.of("memory", "memory-mb");

    private CapacityAmount(Kind kind, BigDecimal number) {
        this(kind, number, new TreeMap<>());
    }

    /**
     * Reads a capacity.
     *
     * @throws IllegalArgumentException with what would be right
     */
    static CapacityAmount parse(String text, SortedMap<String, String> resources) {
        if (text.startsWith("[")) {
            return list(text, resources);
        }
        if (text.endsWith("w")) {
            return weight(text.substring(0, text.length() - 1).strip());
        }
        return inRange(percent(text));
    }

    /** A maximum; -1 is 100 percent. */
    static CapacityAmount parseMaximum(String text, SortedMap<String, String> resources) {
        if (text.startsWith("[")) {
            CapacityAmount most = list(text, resources);
            if (most.byResource.values().stream().anyMatch(each -> each.kind == Kind.WEIGHT)) {
                throw new IllegalArgumentException("must have no weight, but amounts or percentages");
            }
            return most;
        }
        BigDecimal percent = percent(text);
        if (percent.compareTo(BigDecimal.ONE.negate()) == 0) {
            return ALL;
        }
        if (percent.signum() < 0) {
            throw new IllegalArgumentException("must be a percentage from 0 to 100, or -1 for 100");
        }
        return new CapacityAmount(Kind.PERCENT, percent);
    }

    private static CapacityAmount inRange(BigDecimal percent) {
        if (percent.signum() < 0 || percent.compareTo(HUNDRED) > 0) {
            throw new IllegalArgumentException("must be a percentage from 0 to 100");
        }
        return new CapacityAmount(Kind.PERCENT, percent);
    }

    private static BigDecimal percent(String text) {
        try {
            return CapacityProperties.decimal(text);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(
                    "must be a percentage such as 40 (without %), or amounts such as [memory=10240,vcores=12]", e);
        }
    }

    private static CapacityAmount weight(String text) {
        BigDecimal weight;
        try {
            weight = CapacityProperties.decimal(text);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("must be a number before the w, such as 3w", e);
        }
        if (weight.compareTo(BigDecimal.ONE.negate()) == 0) {
            return NOT_SET;
        }
        if (weight.signum() < 0 || weight.compareTo(LARGEST_WEIGHT) > 0) {
            throw new IllegalArgumentException("must be a weight from 0w to 10000w");
        }
        return new CapacityAmount(Kind.WEIGHT, weight);
    }

    private static CapacityAmount list(String text, SortedMap<String, String> resources) {
        if (!text.endsWith("]")) {
            throw new IllegalArgumentException("must end with ], such as [memory=10240,vcores=12]");
        }
        SortedMap<String, CapacityAmount> each = new TreeMap<>();
        for (String pair : text.substring(1, text.length() - 1).split(",", -1)) {
            String[] parts = pair.split("=", -1);
            if (parts.length != 2) {
                throw new IllegalArgumentException("must name resources and amounts, such as [memory=10240,vcores=12]");
            }
            String written = parts[0].strip();
            String resource = OWN_NAMES.getOrDefault(written, written);
            if (!resources.containsKey(resource)) {
                throw new IllegalArgumentException("names " + written + ", which is no resource type of this cluster: "
                        + KnownNames.choices(resource, resources.keySet()));
            }
            each.put(resource, ofOne(parts[1].strip(), resources.getOrDefault(resource, "")));
        }
        boolean amounts = each.values().stream().allMatch(one -> one.kind == Kind.AMOUNTS);
        return new CapacityAmount(amounts ? Kind.AMOUNTS : Kind.MIXED, BigDecimal.ZERO, each);
    }

    private static CapacityAmount ofOne(String text, String unit) {
        if (text.endsWith("%")) {
            return inRange(percent(text.substring(0, text.length() - 1).strip()));
        }
        if (text.endsWith("w")) {
            return weight(text.substring(0, text.length() - 1).strip());
        }
        boolean whole = WHOLE.matcher(text).matches();
        long units =
                whole ? Long.parseLong(text) : ResourceAmount.parse(text, unit).units();
        return new CapacityAmount(Kind.AMOUNTS, BigDecimal.valueOf(units));
    }

    boolean isPositive() {
        return number.signum() > 0;
    }

    /** What it says of one resource. */
    CapacityAmount of(String resource) {
        return byResource.isEmpty() ? this : byResource.getOrDefault(resource, NOT_SET);
    }

    /** Resource name to units, where it gives amounts. */
    SortedMap<String, Long> amounts() {
        SortedMap<String, Long> amounts = new TreeMap<>();
        byResource.forEach((resource, one) -> {
            if (one.kind == Kind.AMOUNTS) {
                amounts.put(resource, one.number.longValueExact());
            }
        });
        return amounts;
    }
}
