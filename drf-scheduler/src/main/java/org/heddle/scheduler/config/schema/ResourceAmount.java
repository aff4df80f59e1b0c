// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.config.schema;

import java.math.BigDecimal;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.heddle.scheduler.model.ValueKind;

/**
 * One limit as it is written: an amount or a part of the cluster.
 *
 * @param relative {@code part} counts, not {@code units}
 * @param units amount in the resource's own unit
 * @param part 0 to 1
 */
public record ResourceAmount(boolean relative, long units, double part) {
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
            Map.entry("Ki", new BigDecimal(1L << 10)),
            Map.entry("Mi", new BigDecimal(1L << 20)),
            Map.entry("Gi", new BigDecimal(1L << 30)),
            Map.entry("Ti", new BigDecimal(1L << 40)),
            Map.entry("Pi", new BigDecimal(1L << 50)));

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
        Matcher size = SIZE.matcher(text);
        BigDecimal own = FACTORS.getOrDefault(unit, BigDecimal.ONE);
        boolean sized = own.compareTo(BigDecimal.ONE) != 0;
        if (!sized || !size.matches()) {
            throw new IllegalArgumentException("must be a whole number of at most 15 digits"
                    + (sized ? ", a size such as 4 GiB" : "")
                    + ", or a percentage from 0% to 100%");
        }
        String written = size.group(2).replace("ki", "Ki");
        BigDecimal bytes = new BigDecimal(size.group(1)).multiply(FACTORS.getOrDefault(written, BigDecimal.ONE));
        BigDecimal[] units = bytes.divideAndRemainder(own);
        if (units[1].signum() != 0 || units[0].compareTo(LARGEST) > 0) {
            throw new IllegalArgumentException("must be a whole number of " + unit
                    + "B (the resource's own unit), at most " + LARGEST.toPlainString());
        }
        return new ResourceAmount(false, units[0].longValueExact(), 0);
    }
}
