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
 * A capacity as {@code capacity-scheduler.xml} writes it: {@code 40} percent, a weight such as {@code 3w}, or amounts
 * such as {@code [memory=10240,vcores=12]}.
 *
 * @param kind which of them
 * @param number the percentage or the weight
 * @param amounts resource name to units
 */
record CapacityAmount(Kind kind, BigDecimal number, SortedMap<String, Long> amounts) {
    enum Kind {
        NOT_SET,
        PERCENT,
        WEIGHT,
        AMOUNTS
    }

    static final BigDecimal HUNDRED = BigDecimal.valueOf(100);
    static final CapacityAmount NOT_SET = new CapacityAmount(Kind.NOT_SET, BigDecimal.ZERO, new TreeMap<>());
    static final CapacityAmount ALL = new CapacityAmount(Kind.PERCENT, HUNDRED, new TreeMap<>());

    private static final BigDecimal LARGEST_WEIGHT = BigDecimal.valueOf(10_000);
    private static final Pattern WHOLE = Pattern.compile("\\d{1,15}");
    private static final Map<String, String> OWN_NAMES = Map.of("memory", "memory-mb");

    /**
     * Reads a capacity.
     *
     * @throws IllegalArgumentException with what would be right
     */
    static CapacityAmount parse(String text, SortedMap<String, String> resources) {
        if (text.startsWith("[")) {
            return new CapacityAmount(Kind.AMOUNTS, BigDecimal.ZERO, amounts(text, resources));
        }
        if (text.endsWith("w")) {
            return weight(text.substring(0, text.length() - 1).strip());
        }
        BigDecimal percent = percent(text);
        if (percent.signum() < 0 || percent.compareTo(HUNDRED) > 0) {
            throw new IllegalArgumentException("must be a percentage from 0 to 100");
        }
        return new CapacityAmount(Kind.PERCENT, percent, new TreeMap<>());
    }

    /** A maximum; -1 is 100 percent. */
    static CapacityAmount parseMaximum(String text, SortedMap<String, String> resources) {
        if (text.startsWith("[")) {
            return parse(text, resources);
        }
        BigDecimal percent = percent(text);
        if (percent.compareTo(BigDecimal.ONE.negate()) == 0) {
            return ALL;
        }
        if (percent.signum() < 0) {
            throw new IllegalArgumentException("must be a percentage from 0 to 100, or -1 for 100");
        }
        return new CapacityAmount(Kind.PERCENT, percent, new TreeMap<>());
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
        return new CapacityAmount(Kind.WEIGHT, weight, new TreeMap<>());
    }

    private static SortedMap<String, Long> amounts(String text, SortedMap<String, String> resources) {
        if (!text.endsWith("]")) {
            throw new IllegalArgumentException("must end with ], such as [memory=10240,vcores=12]");
        }
        SortedMap<String, Long> amounts = new TreeMap<>();
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
            amounts.put(resource, units(parts[1].strip(), resources.getOrDefault(resource, "")));
        }
        return amounts;
    }

    private static long units(String text, String unit) {
        if (WHOLE.matcher(text).matches()) {
            return Long.parseLong(text);
        }
        if (text.endsWith("%") || text.endsWith("w")) {
            throw new IllegalArgumentException("gives a part for each resource, which is not read here; give one"
                    + " percentage or weight for all, or amounts");
        }
        return ResourceAmount.parse(text, unit).units();
    }

    boolean isPositive() {
        return number.signum() > 0;
    }
}
