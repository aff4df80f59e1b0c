// SPDX-License-Identifier: Apache-2.0
package org.heddle.settings.command;

import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.heddle.settings.Durations;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * An option that takes a duration, {@code 500ms}, {@code 30s} or {@code 5m}. The nested classes differ in the unit of a
 * number without one: seconds, unless the option's name or history says otherwise.
 */
public abstract class DurationConverter implements ITypeConverter<Duration> {
    private final TimeUnit plain;

    private DurationConverter(TimeUnit plain) {
        this.plain = plain;
    }

    @Override
    public Duration convert(String text) {
        try {
            return Durations.parse(text, plain);
        } catch (IllegalArgumentException e) {
            throw new TypeConversionException("'" + text + "': must be a duration such as 500ms, 15s, 5m or 2h, or a"
                    + " number of " + plain.name().toLowerCase(Locale.ROOT));
        }
    }

    /** A number without a unit is seconds. */
    public static final class Seconds extends DurationConverter {
        public Seconds() {
            super(TimeUnit.SECONDS);
        }
    }

    /** A number without a unit is minutes. */
    public static final class Minutes extends DurationConverter {
        public Minutes() {
            super(TimeUnit.MINUTES);
        }
    }

    /** A number without a unit is hours. */
    public static final class Hours extends DurationConverter {
        public Hours() {
            super(TimeUnit.HOURS);
        }
    }

    /** A number without a unit is days. */
    public static final class Days extends DurationConverter {
        public Days() {
            super(TimeUnit.DAYS);
        }
    }
}
