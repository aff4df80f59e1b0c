// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.agent;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;

/** Rates as plain decimals. */
public final class RateText {
    private static final MathContext DIGITS = new MathContext(6, RoundingMode.DOWN);
    private static final int DECIMALS = 9;

    private RateText() {}

    /** Six significant digits, which is what agents set. */
    public static String of(double rate) {
        return exact(rounded(rate));
    }

    static double rounded(double rate) {
        return BigDecimal.valueOf(Math.max(0, rate)).round(DIGITS).doubleValue();
    }

    /** All digits, but at most nine decimals, as the market takes them. */
    public static String exact(double rate) {
        BigDecimal decimal = BigDecimal.valueOf(Math.max(0, rate));
        decimal = decimal.setScale(Math.min(DECIMALS, Math.max(0, decimal.scale())), RoundingMode.DOWN);
        return decimal.signum() == 0 ? "0" : decimal.stripTrailingZeros().toPlainString();
    }
}
