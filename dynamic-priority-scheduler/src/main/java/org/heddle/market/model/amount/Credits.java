// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.model.amount;

/**
 * An amount of money, exact: whole nano-credits (nine decimals) in 64 bits, at most about 9.2 thousand million credits.
 * May be negative, as one side of a posting.
 *
 * @param nanos nano-credits
 */
public record Credits(long nanos) implements Comparable<Credits> {
    public static final Credits ZERO = new Credits(0);
    /** Nano-credits in one credit. */
    public static final long NANOS = Decimal.ONE;

    /** A whole number of credits. */
    public static Credits of(long whole) {
        return new Credits(Math.multiplyExact(whole, NANOS));
    }

    /**
     * Reads plain decimals such as {@code 12.5}.
     *
     * @throws IllegalArgumentException one sentence, if it is not a number, has more than nine decimals or is too large
     */
    public static Credits parse(String text) {
        return new Credits(Decimal.parse(text, "the amount"));
    }

    /** @throws ArithmeticException if the sum does not fit in 64 bits */
    public Credits plus(Credits other) {
        return new Credits(Math.addExact(nanos, other.nanos));
    }

    /** @throws ArithmeticException if the difference does not fit in 64 bits */
    public Credits minus(Credits other) {
        return new Credits(Math.subtractExact(nanos, other.nanos));
    }

    public Credits negated() {
        return new Credits(Math.negateExact(nanos));
    }

    public boolean isPositive() {
        return nanos > 0;
    }

    public boolean isNegative() {
        return nanos < 0;
    }

    @Override
    public int compareTo(Credits other) {
        return Long.compare(nanos, other.nanos);
    }

    /** Plain decimals: {@code 12.5}. */
    @Override
    public String toString() {
        return Decimal.print(nanos);
    }
}
