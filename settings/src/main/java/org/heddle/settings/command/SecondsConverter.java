// SPDX-License-Identifier: Apache-2.0
package org.heddle.settings.command;

import java.util.concurrent.TimeUnit;
import org.heddle.settings.Durations;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** An option that takes a duration, {@code 500ms} or {@code 5m}; a number without a unit is seconds, and so is the value. */
public final class SecondsConverter implements ITypeConverter<Double> {
    @Override
    public Double convert(String text) {
        try {
            return Durations.seconds(text, TimeUnit.SECONDS);
        } catch (IllegalArgumentException e) {
            throw new TypeConversionException(
                    "'" + text + "': must be a duration such as 500ms, 15s or 5m, or a number of seconds");
        }
    }
}
