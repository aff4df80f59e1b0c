// SPDX-License-Identifier: Apache-2.0
package org.heddle.settings;

import java.math.BigDecimal;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The one syntax of sizes: a number and a unit, {@code 4Gi}, {@code 4 GiB}, {@code 4g}, {@code 512MB}, in upper or
 * lower case. As for sizes everywhere in Hadoop, the units are powers of 1024, with or without {@code i} and {@code B}.
 * There is one exception: where a resource type of YARN has a decimal unit, such as {@code G}, units without {@code i}
 * are powers of
 * 1000. A number without a unit is valid where the key, the option or the resource has a unit.
 */
public final class Sizes {
    private static final Pattern PLAIN = Pattern.compile("[0-9]{1,15}");
    private static final Pattern SIZE =
            Pattern.compile("([0-9]{1,18}(?:\\.[0-9]{1,18})?)\\s*([kmgtp])(i?)b?", Pattern.CASE_INSENSITIVE);
    private static final Pattern UNIT_OF_YARN = Pattern.compile("([kKMGTP])(i?)");
    private static final BigDecimal LARGEST = BigDecimal.TEN.pow(15);

    private Sizes() {}

    /**
     * Bytes in one of YARN's units, such as {@code Mi} or {@code G}; 1 for the empty one, null if there is no such
     * unit.
     */
    private static @Nullable BigDecimal bytes(String unit) {
        Matcher parts = UNIT_OF_YARN.matcher(unit);
        if (parts.matches()) {
            return bytes(parts.group(1), parts.group(2).isEmpty());
        }
        return unit.isEmpty() ? BigDecimal.ONE : null;
    }

    private static BigDecimal bytes(String letter, boolean decimal) {
        int power = "kmgtp".indexOf(letter.toLowerCase(Locale.ROOT)) + 1;
        return new BigDecimal(decimal ? 1000 : 1024).pow(power);
    }

    private static boolean isDecimal(String unit) {
        Matcher parts = UNIT_OF_YARN.matcher(unit);
        return parts.matches() && parts.group(2).isEmpty();
    }

    /** Whether amounts in this unit may be written as sizes: not those which are only counted, such as cores. */
    public static boolean isUnit(String unit) {
        return UNIT_OF_YARN.matcher(unit).matches();
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
        BigDecimal one = bytes(unit);
        if (!size.matches() || one == null) {
            throw new IllegalArgumentException("'" + text + "' is no size");
        }
        boolean decimal = isDecimal(unit) && size.group(3).isEmpty();
        BigDecimal bytes = new BigDecimal(size.group(1)).multiply(bytes(size.group(2), decimal));
        BigDecimal[] units = bytes.divideAndRemainder(one);
        if (units[1].signum() != 0 || units[0].compareTo(LARGEST) > 0) {
            throw new IllegalArgumentException(
                    "'" + text + "' is not a whole number of " + unit + "B of at most 15 digits");
        }
        return units[0].longValueExact();
    }
}
