// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.model.amount;

/**
 * The spending rate of a queue: credits for one slot during one rate unit (paper 3.1). The rate unit is the market's
 * ({@link org.heddle.market.model.terms.MarketTerms#rateUnitMillis}). A price is a sum of rates, so it is a rate too.
 *
 * @param nanos nano-credits for one slot and rate unit, 0 or more
 */
public record SpendingRate(long nanos) implements Comparable<SpendingRate> {
    public static final SpendingRate ZERO = new SpendingRate(0);

    public SpendingRate {
        if (nanos < 0) {
            throw new IllegalArgumentException(
                    "a spending rate of " + Decimal.print(nanos) + " is negative; set 0 or more");
        }
    }

    /**
     * Reads plain decimals such as {@code 0.25}.
     *
     * @throws IllegalArgumentException one sentence, if it is not a number, negative, has more than nine decimals or is
     *     too large
     */
    public static SpendingRate parse(String text) {
        return new SpendingRate(Decimal.parse(text, "the spending rate"));
    }

    @Override
    public int compareTo(SpendingRate other) {
        return Long.compare(nanos, other.nanos);
    }

    /** Plain decimals: {@code 0.25}. */
    @Override
    public String toString() {
        return Decimal.print(nanos);
    }
}
