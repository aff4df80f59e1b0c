// SPDX-License-Identifier: Apache-2.0
package org.heddle.settings;

import java.math.BigDecimal;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The one syntax of sizes: a number and a unit, {@code 4Gi}, {@code 4 GiB}, {@code 512MB}. The units are those of YARN's
 * resource types: k, M, G, T, P are powers of 1000; Ki, Mi, Gi, Ti, Pi are powers of 1024; a {@code B} may follow. A
 * number without a unit is valid where the key, the option or the resource has a unit.
 */
public final class Sizes {
    private static final Pattern PLAIN = Pattern.compile("[0-9]{1,15}");
    private static final Pattern SIZE = Pattern.compile("([0-9]{1,18}(?:\\.[0-9]{1,18})?)\\s*([kKMGTP]i?)B?");
    private static final BigDecimal LARGEST = BigDecimal.TEN.pow(15);
    private static final Map<String, BigDecimal> FACTORS = Map.ofEntries(
            Map.entry("", BigDecimal.ONE),
            Map.entry("k", BigDecimal.TEN.pow(3)),
            Map.entry("K", BigDecimal.TEN.pow(3)),
            Map.entry("M", BigDecimal.TEN.pow(6)),
            Map.entry("G", BigDecimal.TEN.pow(9)),
            Map.entry("T", BigDecimal.TEN.pow(12)),
            Map.entry("P", BigDecimal.TEN.pow(15)),
            Map.entry("ki", new BigDecimal(1L << 10)),
            Map.entry("Ki", new BigDecimal(1L << 10)),
            Map.entry("Mi", new BigDecimal(1L << 20)),
            Map.entry("Gi", new BigDecimal(1L << 30)),
            Map.entry("Ti", new BigDecimal(1L << 40)),
            Map.entry("Pi", new BigDecimal(1L << 50)));

    private Sizes() {}

    /** Bytes in a unit such as {@code Mi}; 1 for the empty one, null if there is no such unit. */
    public static @Nullable BigDecimal bytes(String unit) {
        return FACTORS.get(unit);
    }

    /** Whether the text is a size with a unit; whether it fits another unit is not asked. */
    public static boolean hasUnit(String text) {
        return SIZE.matcher(text).matches();
    }

    /**
     * A size as a whole number of a unit.
     *
     * @param unit that of the result, and of a number without one
     * @throws IllegalArgumentException if the text is no size, or no whole number of the unit up to 10^15
     */
    public static long in(String unit, String text) {
        if (PLAIN.matcher(text).matches()) {
            return Long.parseLong(text);
        }
        Matcher size = SIZE.matcher(text);
        BigDecimal one = FACTORS.get(unit);
        if (!size.matches() || one == null) {
            throw new IllegalArgumentException("'" + text + "' is no size");
        }
        BigDecimal bytes = new BigDecimal(size.group(1)).multiply(FACTORS.getOrDefault(size.group(2), BigDecimal.ONE));
        BigDecimal[] units = bytes.divideAndRemainder(one);
        if (units[1].signum() != 0 || units[0].compareTo(LARGEST) > 0) {
            throw new IllegalArgumentException(
                    "'" + text + "' is not a whole number of " + unit + "B of at most 15 digits");
        }
        return units[0].longValueExact();
    }
}
