// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.model.amount;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;

/**
 * A part of the cluster as an exact fraction, {@code amount / whole}; 0 if the whole is 0.
 *
 * @param amount 0 or more
 * @param whole 0 or more
 */
public record Share(long amount, long whole) {
    private static final MathContext DIGITS = new MathContext(10);
    public static final Share NONE = new Share(0, 1);

    public Share {
        if (amount < 0 || whole < 0) {
            throw new IllegalArgumentException("a share of " + amount + " in " + whole + " is negative");
        }
    }

    public double toDouble() {
        return whole == 0 ? 0 : (double) amount / whole;
    }

    /** The fraction in lowest terms, for example {@code 8/15}. */
    public String toFraction() {
        if (amount == 0 || whole == 0) {
            return "0/1";
        }
        BigInteger divisor = BigInteger.valueOf(amount).gcd(BigInteger.valueOf(whole));
        return BigInteger.valueOf(amount).divide(divisor) + "/"
                + BigInteger.valueOf(whole).divide(divisor);
    }

    /** Plain decimals, at most ten significant digits, for example {@code 0.003086419753}. */
    @Override
    public String toString() {
        if (amount == 0 || whole == 0) {
            return "0";
        }
        BigDecimal value = BigDecimal.valueOf(amount)
                .divide(BigDecimal.valueOf(whole), DIGITS)
                .stripTrailingZeros();
        return value.scale() < 0 ? value.setScale(0).toPlainString() : value.toPlainString();
    }
}
