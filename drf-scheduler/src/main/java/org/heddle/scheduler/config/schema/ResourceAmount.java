// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.config.schema;

import java.util.regex.Pattern;
import org.heddle.settings.Sizes;
import org.heddle.settings.ValueKind;

/**
 * One limit as it is written: an amount or a part of the cluster.
 *
 * @param relative {@code part} counts, not {@code units}
 * @param units amount in the resource's own unit
 * @param part 0 to 1
 */
public record ResourceAmount(boolean relative, long units, double part) {
    private static final Pattern PLAIN = Pattern.compile("[0-9]{1,15}");
    /**
     * Reads {@code 50%}, {@code 4096} or {@code 4 GiB}.
     *
     * @param unit YARN's unit of the resource
     * @throws IllegalArgumentException with what would be right
     */
    public static ResourceAmount parse(String text, String unit) {
        if (text.endsWith("%")) {
            return new ResourceAmount(true, 0, ValueKind.FRACTION.parse(text));
        }
        if (PLAIN.matcher(text).matches()) {
            return new ResourceAmount(false, Long.parseLong(text), 0);
        }
        boolean sized = Sizes.isUnit(unit);
        if (!sized || !Sizes.hasUnit(text)) {
            throw new IllegalArgumentException("must be a whole number of at most 15 digits"
                    + (sized ? ", a size such as 4 GiB" : "")
                    + ", or a percentage from 0% to 100%");
        }
        try {
            return new ResourceAmount(false, Sizes.in(unit, text), 0);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "must be a whole number of " + unit + "B (the resource's own unit), at most 1000000000000000", e);
        }
    }
}
