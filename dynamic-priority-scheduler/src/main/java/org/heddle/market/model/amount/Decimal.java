// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.model.amount;

import java.math.BigDecimal;
import java.math.RoundingMode;

/** Fixed-point numbers with nine decimals in a {@code long}: parsing and printing. */
final class Decimal {
    static final long ONE = 1_000_000_000L;
    private static final int DIGITS = 9;
    private static final int LONGEST = 40;

    private Decimal() {}

    /**
     * Parses a plain decimal number such as {@code 12.5}.
     *
     * @param what name of the number, for the message
     * @throws IllegalArgumentException one sentence if the text is not a number, has more than nine decimals or is too
     *     large
     */
    static long parse(String text, String what) {
        if (text.length() > LONGEST || !text.matches("-?\\d+(\\.\\d+)?")) {
            throw new IllegalArgumentException(
                    what + " '" + shortened(text) + "' is not a plain decimal number; write for" + " example 12.5");
        }
        try {
            return new BigDecimal(text)
                    .setScale(DIGITS, RoundingMode.UNNECESSARY)
                    .unscaledValue()
                    .longValueExact();
        } catch (ArithmeticException e) {
            throw new IllegalArgumentException(
                    what + " '" + text + "' has more than nine decimals or is beyond 9223372036; write fewer digits",
                    e);
        }
    }

    private static String shortened(String text) {
        return text.length() <= LONGEST ? text : text.substring(0, LONGEST) + "...";
    }

    /** Plain decimals without trailing zeros, never an exponent: {@code 12.5}, {@code 0.000000001}, {@code -3}. */
    static String print(long nanos) {
        BigDecimal value = BigDecimal.valueOf(nanos, DIGITS).stripTrailingZeros();
        return value.scale() < 0 ? value.setScale(0).toPlainString() : value.toPlainString();
    }
}
