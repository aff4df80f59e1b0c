// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.policy;

import java.math.BigInteger;

/**
 * Products of two 64-bit numbers, exact, and their quotients. All arguments are 0 or more. The short division of 128 by
 * 64 bits is the schoolbook one in base 2^32 (Knuth, The Art of Computer Programming 2, 4.3.1, algorithm D, n = 2).
 */
public final class WideMath {
    private static final long LOW = 0xFFFFFFFFL;

    private WideMath() {}

    /**
     * {@code a * b / c}, rounded down; {@code Long.MAX_VALUE} if it is larger.
     *
     * @param c more than 0
     */
    public static long mulDiv(long a, long b, long c) {
        long high = Math.multiplyHigh(a, b);
        long low = a * b;
        if (high == 0 && low >= 0) {
            return low / c;
        }
        if (high >= c >>> 1) {
            // the quotient may not fit in 63 bits
            BigInteger exact =
                    BigInteger.valueOf(a).multiply(BigInteger.valueOf(b)).divide(BigInteger.valueOf(c));
            return exact.bitLength() < Long.SIZE ? exact.longValue() : Long.MAX_VALUE;
        }
        return divide(high, low, c);
    }

    /**
     * {@code a * part / whole}, rounded down, where the part is often the whole; {@code part} is at most {@code whole}.
     */
    public static long share(long a, long part, long whole) {
        return a == 0 || part == whole ? a : mulDiv(a, part, whole);
    }

    /** {@code a * b}; {@code Long.MAX_VALUE} if it is larger. */
    public static long saturatedMultiply(long a, long b) {
        return Math.multiplyHigh(a, b) == 0 && a * b >= 0 ? a * b : Long.MAX_VALUE;
    }

    /** {@code a + b}; {@code Long.MAX_VALUE} if it is larger. */
    public static long saturatedAdd(long a, long b) {
        long sum = a + b;
        return sum < 0 ? Long.MAX_VALUE : sum;
    }

    /**
     * Quotient of the unsigned 128-bit number {@code high:low}, which must be less than {@code divisor * 2^64}.
     *
     * @param divisor more than 0
     */
    static long divide(long high, long low, long divisor) {
        int shift = Long.numberOfLeadingZeros(divisor);
        long d = divisor << shift;
        long d1 = d >>> 32;
        long d0 = d & LOW;
        long n32 = shift == 0 ? high : (high << shift) | (low >>> (Long.SIZE - shift));
        long n10 = low << shift;
        long n1 = n10 >>> 32;
        long n0 = n10 & LOW;

        long q1 = digit(n32, n1, d1, d0);
        long n21 = (n32 << 32) + n1 - q1 * d;
        long q0 = digit(n21, n0, d1, d0);
        return (q1 << 32) + q0;
    }

    /** One digit of the quotient in base 2^32: estimated by the divisor's first digit, then corrected at most twice. */
    private static long digit(long upper, long next, long d1, long d0) {
        long q = Long.divideUnsigned(upper, d1);
        long rest = upper - q * d1;
        while (q > LOW || Long.compareUnsigned(q * d0, (rest << 32) + next) > 0) {
            q--;
            rest += d1;
            if (rest > LOW) {
                break;
            }
        }
        return q;
    }
}
