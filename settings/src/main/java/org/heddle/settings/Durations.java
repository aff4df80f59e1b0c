// SPDX-License-Identifier: Apache-2.0
package org.heddle.settings;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The one syntax of durations: a number and a unit, {@code 500ms}, {@code 15s}, {@code 1.5h}. The units are those of
 * Hadoop's {@code Configuration.getTimeDuration}, in upper or lower case: ns, us, ms, s, m, h, d; {@code min} is the
 * same as {@code m}. As there, a number without a unit is valid where the key or the option names a unit.
 */
public final class Durations {
    private static final Pattern DURATION =
            Pattern.compile("([0-9]{1,18}(?:\\.[0-9]{1,18})?)\\s*([a-z]{0,3})", Pattern.CASE_INSENSITIVE);
    private static final Map<String, TimeUnit> UNITS = Map.of(
            "ns", TimeUnit.NANOSECONDS,
            "us", TimeUnit.MICROSECONDS,
            "ms", TimeUnit.MILLISECONDS,
            "s", TimeUnit.SECONDS,
            "m", TimeUnit.MINUTES,
            "min", TimeUnit.MINUTES,
            "h", TimeUnit.HOURS,
            "d", TimeUnit.DAYS);

    private Durations() {}

    /**
     * Milliseconds of a duration that has a unit.
     *
     * @throws IllegalArgumentException if the text is no duration, or no whole number of milliseconds
     */
    public static long millis(String text) {
        return whole(nanos(text, null), TimeUnit.MILLISECONDS);
    }

    /**
     * Milliseconds of a duration.
     *
     * @param plain the unit of a number without one
     * @throws IllegalArgumentException if the text is no duration, or no whole number of milliseconds
     */
    public static long millis(String text, TimeUnit plain) {
        return whole(nanos(text, plain), TimeUnit.MILLISECONDS);
    }

    /**
     * Seconds of a duration, with their fraction.
     *
     * @param plain the unit of a number without one
     * @throws IllegalArgumentException if the text is no duration
     */
    public static double seconds(String text, TimeUnit plain) {
        return nanos(text, plain)
                .divide(BigDecimal.valueOf(TimeUnit.SECONDS.toNanos(1)))
                .doubleValue();
    }

    /**
     * A duration, exact to the nanosecond.
     *
     * @param plain the unit of a number without one
     * @throws IllegalArgumentException if the text is no duration, or longer than 292 years
     */
    public static Duration parse(String text, TimeUnit plain) {
        try {
            return Duration.ofNanos(
                    nanos(text, plain).setScale(0, RoundingMode.CEILING).longValueExact());
        } catch (ArithmeticException e) {
            throw new IllegalArgumentException("'" + text + "' is too long", e);
        }
    }

    /** Seconds of a duration, with their fraction. */
    public static double seconds(Duration duration) {
        return duration.toSeconds() + duration.toNanosPart() / 1e9;
    }

    /** Whether the text is a duration with a unit. */
    public static boolean isDuration(String text) {
        try {
            nanos(text, null);
            return true;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    private static BigDecimal nanos(String text, @Nullable TimeUnit plain) {
        Matcher parts = DURATION.matcher(text.strip());
        if (!parts.matches()) {
            throw new IllegalArgumentException("'" + text + "' is no duration");
        }
        String written = parts.group(2).toLowerCase(Locale.ROOT);
        TimeUnit unit = written.isEmpty() ? plain : UNITS.get(written);
        if (unit == null) {
            throw new IllegalArgumentException("'" + text + "' has no unit of time: ns, us, ms, s, m, h or d");
        }
        return new BigDecimal(parts.group(1)).multiply(BigDecimal.valueOf(unit.toNanos(1)));
    }

    private static long whole(BigDecimal nanos, TimeUnit unit) {
        try {
            return nanos.divide(BigDecimal.valueOf(unit.toNanos(1)))
                    .setScale(0, RoundingMode.UNNECESSARY)
                    .longValueExact();
        } catch (ArithmeticException e) {
            throw new IllegalArgumentException("is not a whole number of milliseconds, or too large", e);
        }
    }
}
