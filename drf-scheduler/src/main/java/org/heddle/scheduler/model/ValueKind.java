// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.model;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A kind of value that an admin may write: how to read it, and how to say what is valid.
 *
 * @param what completes the sentence "must be ..."
 * @param parser throws {@link IllegalArgumentException} (its message is not shown) for anything that is not {@code what}
 * @param <T> what the text becomes
 */
public record ValueKind<T>(String what, Function<String, T> parser) {
    private static final Pattern NUMBER = Pattern.compile("[0-9]{1,18}(\\.[0-9]{1,18})?");
    private static final Pattern PERCENT = Pattern.compile("(" + NUMBER.pattern() + ")\\s*%");
    private static final Pattern DURATION = Pattern.compile("(" + NUMBER.pattern() + ")\\s*(ms|s|min|h|d)");
    private static final Map<String, BigDecimal> MILLIS_PER_UNIT = Map.of(
            "ms", new BigDecimal(1),
            "s", new BigDecimal(1_000),
            "min", new BigDecimal(60_000),
            "h", new BigDecimal(3_600_000),
            "d", new BigDecimal(86_400_000));

    private static final BigDecimal LONGEST_MILLIS = new BigDecimal(365L * 86_400_000L);
    private static final double SMALLEST_WEIGHT = 1e-6;
    private static final double LARGEST_WEIGHT = 1e6;

    /** A duration with its unit, as milliseconds. */
    public static final ValueKind<Long> DURATION_MILLIS =
            new ValueKind<>("a duration from 0ms to 365d, such as 500ms, 1s, 5min or 2h", ValueKind::duration);

    /** A plain count of milliseconds, for keys that carry the unit in their name. */
    public static final ValueKind<Long> MILLIS =
            new ValueKind<>("a whole number of milliseconds from 0 to 31536000000 (365 days)", text -> {
                require(NUMBER.matcher(text).matches());
                return wholeMillis(new BigDecimal(text));
            });

    /** A part of something: {@code 0.05} or {@code 5%}. */
    public static final ValueKind<Double> FRACTION =
            new ValueKind<>("a part from 0 to 1, such as 0.05 or 5%", ValueKind::fraction);

    /** As {@link #FRACTION}, but more than nothing. */
    public static final ValueKind<Double> POSITIVE_FRACTION = new ValueKind<>(
            "a part above 0 and up to 1, such as 0.5 or 50%",
            text -> {
                double part = fraction(text);
                require(part > 0);
                return part;
            });

    /** A weight; bounded so that no quotient of a share and a weight leaves the range of a double. */
    public static final ValueKind<Double> WEIGHT = new ValueKind<>("0, or a number from 0.000001 to 1000000", text -> {
        double weight = number(text);
        require(weight == 0 || (weight >= SMALLEST_WEIGHT && weight <= LARGEST_WEIGHT));
        return weight;
    });

    /** As {@link #WEIGHT}, but more than nothing. */
    public static final ValueKind<Double> POSITIVE_WEIGHT =
            new ValueKind<>("a number from 0.000001 to 1000000", text -> {
                double weight = WEIGHT.parse(text);
                require(weight > 0);
                return weight;
            });

    /** A whole number of {@code least} or more that fits an {@code int}. */
    public static ValueKind<Integer> count(int least) {
        return new ValueKind<>("a whole number from " + least + " to " + Integer.MAX_VALUE, text -> {
            require(NUMBER.matcher(text).matches());
            int count = new BigDecimal(text).intValueExact();
            require(count >= least);
            return count;
        });
    }

    /**
     * Reads a value, blanks around it ignored.
     *
     * @throws IllegalArgumentException with the message "must be ..." if the text is not of this kind
     */
    public T parse(String text) {
        try {
            return parser.apply(text.strip());
        } catch (IllegalArgumentException | ArithmeticException e) {
            throw new IllegalArgumentException("must be " + what, e);
        }
    }

    private static double number(String text) {
        require(NUMBER.matcher(text).matches());
        return Double.parseDouble(text);
    }

    private static double fraction(String text) {
        Matcher percent = PERCENT.matcher(text);
        double part = percent.matches() ? number(percent.group(1)) / 100 : number(text);
        require(part <= 1);
        return part;
    }

    private static long duration(String text) {
        Matcher parts = DURATION.matcher(text);
        require(parts.matches());
        BigDecimal perUnit = MILLIS_PER_UNIT.getOrDefault(parts.group(3), BigDecimal.ONE);
        return wholeMillis(new BigDecimal(parts.group(1)).multiply(perUnit));
    }

    private static long wholeMillis(BigDecimal millis) {
        require(millis.compareTo(LONGEST_MILLIS) <= 0);
        return millis.setScale(0, RoundingMode.UNNECESSARY).longValueExact();
    }

    private static void require(boolean valid) {
        if (!valid) {
            throw new IllegalArgumentException();
        }
    }
}
