// SPDX-License-Identifier: Apache-2.0
package org.heddle.settings;

import java.math.BigDecimal;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A kind of value that an administrator may write: how to read it, and how to say what is valid.
 *
 * @param <T> what the text becomes
 */
public final class ValueKind<T> {
    private static final Pattern NUMBER = Pattern.compile("[0-9]{1,18}(\\.[0-9]{1,18})?");
    private static final Pattern RANGE = Pattern.compile(" from ([0-9]{1,18}) to ([0-9]{1,18})");
    private static final Pattern PERCENT = Pattern.compile("(" + NUMBER.pattern() + ")\\s*%");
    private static final long LONGEST_MILLIS = TimeUnit.DAYS.toMillis(365);
    private static final double SMALLEST_WEIGHT = 1e-6;
    private static final double LARGEST_WEIGHT = 1e6;

    /** A duration with its unit, as milliseconds. */
    public static final ValueKind<Long> DURATION_MILLIS = new ValueKind<>(
            "a duration from 0ms to 365d, such as 500ms, 1s, 5m or 2h",
            text -> within(Durations.millis(text), 0, LONGEST_MILLIS));

    /** Milliseconds, for keys whose name ends in {@code -ms}: a number without a unit is milliseconds. */
    public static final ValueKind<Long> MILLIS = millis(0);

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
        double weight = decimal(text);
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

    /** {@code true} or {@code false}, in small letters. */
    public static final ValueKind<Boolean> TRUE_OR_FALSE = new ValueKind<>("true or false", text -> {
        require(text.equals("true") || text.equals("false"));
        return text.equals("true");
    });

    /** Any text. */
    public static final ValueKind<String> TEXT = new ValueKind<>("text", text -> text);

    /** Any text that is not empty. */
    public static final ValueKind<String> NAME = new ValueKind<>("text that is not empty", text -> {
        require(!text.isEmpty());
        return text;
    });

    private final String what;
    private final Function<String, T> parser;

    /**
     * A kind of value.
     *
     * @param what completes the sentence "must be ..."
     * @param parser throws {@link IllegalArgumentException} or {@link ArithmeticException} (their messages are not
     *     shown) for anything that is not {@code what}
     */
    public ValueKind(String what, Function<String, T> parser) {
        this.what = what;
        this.parser = parser;
    }

    /** A whole number of {@code least} or more that fits an {@code int}. */
    public static ValueKind<Integer> count(int least) {
        return count(least, Integer.MAX_VALUE);
    }

    /** A whole number, not negative, from {@code least} to {@code most}. */
    public static ValueKind<Integer> count(int least, int most) {
        return new ValueKind<>("a whole number from " + least + " to " + most, text -> {
            require(NUMBER.matcher(text).matches());
            return (int) within(new BigDecimal(text).longValueExact(), least, most);
        });
    }

    /** A number, not negative, from {@code least} to {@code most}. */
    public static ValueKind<Double> number(String least, String most) {
        return new ValueKind<>("a number from " + least + " to " + most, text -> {
            double value = decimal(text);
            require(value >= Double.parseDouble(least) && value <= Double.parseDouble(most));
            return value;
        });
    }

    /** As {@link #MILLIS}, of {@code least} or more. */
    public static ValueKind<Long> millis(long least) {
        return new ValueKind<>(
                "a duration such as 500ms, 15s or 10m, or a whole number of milliseconds, from " + least
                        + " to 31536000000 (365 days)",
                text -> within(Durations.millis(text, TimeUnit.MILLISECONDS), least, LONGEST_MILLIS));
    }

    /**
     * A size as a whole number of a unit.
     *
     * @param unit that of the value, and of a number without one, such as {@code Mi}
     */
    public static ValueKind<Integer> size(String unit, int least, int most) {
        return new ValueKind<>(
                "a size such as 512Mi or 4Gi, or a whole number of " + unit + "B, from " + least + " to " + most + " "
                        + unit + "B",
                text -> (int) within(Sizes.in(unit, text), least, most));
    }

    /** A constant of an enum, written in small letters with {@code -} for {@code _}. */
    public static <E extends Enum<E>> ValueKind<E> oneOf(Class<E> type) {
        E[] constants = type.getEnumConstants();
        return new ValueKind<>(
                "one of " + Arrays.stream(constants).map(ValueKind::written).collect(Collectors.joining(", ")),
                text -> Arrays.stream(constants)
                        .filter(each -> written(each).equals(text))
                        .findFirst()
                        .orElseThrow(IllegalArgumentException::new));
    }

    /** A constant as {@link #oneOf} reads it. */
    public static String written(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /**
     * The kind with these words for what is valid, for keys whose own are in another program's jar; {@link #TEXT} if
     * none has them.
     */
    public static ValueKind<?> called(String what) {
        if (what.startsWith("one of ")) {
            List<String> choices = List.of(what.substring("one of ".length()).split(", ", -1));
            return new ValueKind<>(what, text -> {
                require(choices.contains(text));
                return text;
            });
        }
        Stream<ValueKind<?>> kinds = Stream.of(DURATION_MILLIS, FRACTION, POSITIVE_FRACTION, TRUE_OR_FALSE);
        Matcher range = RANGE.matcher(what);
        if (range.find()) {
            long least = Long.parseLong(range.group(1));
            int from = (int) Math.min(Integer.MAX_VALUE, least);
            int to = (int) Math.min(Integer.MAX_VALUE, Long.parseLong(range.group(2)));
            kinds = Stream.concat(kinds, Stream.of(millis(least), count(from, to), size("Mi", from, to)));
        }
        return kinds.filter(kind -> kind.what.equals(what)).findFirst().orElse(TEXT);
    }

    /** What is valid; completes the sentence "must be ...". */
    public String what() {
        return what;
    }

    /**
     * Reads a value; blanks around it do not matter.
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

    private static double decimal(String text) {
        require(NUMBER.matcher(text).matches());
        return Double.parseDouble(text);
    }

    private static double fraction(String text) {
        Matcher percent = PERCENT.matcher(text);
        double part;
        if (percent.matches()) {
            // 13.3332% is 0.133332, digit by digit
            part = new BigDecimal(percent.group(1)).movePointLeft(2).doubleValue();
        } else {
            part = decimal(text);
        }
        require(part <= 1);
        return part;
    }

    private static long within(long value, long least, long most) {
        require(value >= least && value <= most);
        return value;
    }

    private static void require(boolean valid) {
        if (!valid) {
            throw new IllegalArgumentException();
        }
    }
}
