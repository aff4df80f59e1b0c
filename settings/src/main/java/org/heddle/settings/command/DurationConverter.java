// SPDX-License-Identifier: Apache-2.0
package org.heddle.settings.command;

import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.heddle.settings.Durations;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** An option that takes a duration, {@code 500ms} or {@code 5m}; a number without a unit has the unit of the option. */
public abstract class DurationConverter implements ITypeConverter<Duration> {
    private final TimeUnit plain;

    private DurationConverter(TimeUnit plain) {
        this.plain = plain;
    }

    @Override
    public Duration convert(String text) {
        try {
            return Duration.ofMillis(Durations.millis(text, plain));
        } catch (IllegalArgumentException e) {
            throw new TypeConversionException(
                    "'" + text + "': must be a duration such as 500ms, 15s or 5m, or a number of "
                            + plain.name().toLowerCase(Locale.ROOT));
        }
    }

    /** A number without a unit is seconds. */
    public static final class InSeconds extends DurationConverter {
        public InSeconds() {
            super(TimeUnit.SECONDS);
        }
    }

    /** A number without a unit is minutes. */
    public static final class InMinutes extends DurationConverter {
        public InMinutes() {
            super(TimeUnit.MINUTES);
        }
    }
}
