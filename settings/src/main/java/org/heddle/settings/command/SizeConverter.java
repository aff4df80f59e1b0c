// SPDX-License-Identifier: Apache-2.0
package org.heddle.settings.command;

import org.heddle.settings.ValueKind;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** An option that takes a size, {@code 512Mi} or {@code 4g}; a number without a unit is MiB, and so is the value. */
public final class SizeConverter implements ITypeConverter<Integer> {
    private static final ValueKind<Integer> MEBIBYTES = ValueKind.size("Mi", 1, Integer.MAX_VALUE);

    @Override
    public Integer convert(String text) {
        try {
            return MEBIBYTES.parse(text);
        } catch (IllegalArgumentException e) {
            throw new TypeConversionException("'" + text + "': " + e.getMessage());
        }
    }
}
